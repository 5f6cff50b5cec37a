/** Hides a deleted book in the lists of the admin screen, and puts it back without fetching their pages again. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Book } from '../../../contract/book.ts';
import type { FoundBooks } from '../../api/catalogue.ts';
import { cataloguesKey } from '../../api/catalogue.ts';

type List = InfiniteData<FoundBooks>;

/** The book above; undefined at the top. */
type Place = { aboveId: string | undefined };

/** A deleted book, and its place in each list that had it, by the list's key as JSON. */
export type DeletedBook = { book: Book; places: ReadonlyMap<string, Place> };

/** Removes the book from the lists that have it. */
export const hideBook = (queryClient: QueryClient, book: Book): DeletedBook => {
  const places = new Map<string, Place>();
  for (const [queryKey, list] of queryClient.getQueriesData<List>({ queryKey: cataloguesKey })) {
    const ids = list?.pages.flatMap(({ body }) => body.map(({ _id }) => _id)) ?? [];
    const index = ids.indexOf(book._id);
    if (!list || index < 0) continue;
    places.set(JSON.stringify(queryKey), { aboveId: ids[index - 1] });
    queryClient.setQueryData<List>(
      queryKey,
      mapBodies(list, (body) => body.filter(({ _id }) => _id !== book._id)),
    );
  }
  return { book, places };
};

/** Puts a restored book back into the lists that had it. Fetches those again in which its place is not known. */
export const showBook = async (queryClient: QueryClient, { book, places }: DeletedBook): Promise<void> => {
  // A response that is still on its way may lack the book.
  await queryClient.cancelQueries({ queryKey: cataloguesKey });
  const fetches = queryClient
    .getQueriesData<List>({ queryKey: cataloguesKey })
    .map(async ([queryKey, list]) => {
      const place = places.get(JSON.stringify(queryKey));
      const restored = list && place && withBook(list, book, place);
      if (restored) queryClient.setQueryData<List>(queryKey, restored);
      else await queryClient.invalidateQueries({ queryKey, exact: true });
    });
  await Promise.all(fetches);
};

/** @returns undefined when the book above is not in the list any more. */
const withBook = (list: List, book: Book, { aboveId }: Place): List | undefined => {
  if (aboveId === undefined) return mapBodies(list, (body, page) => (page === 0 ? [book, ...body] : body));
  const isAbove = ({ _id }: Book) => _id === aboveId;
  if (!list.pages.some(({ body }) => body.some(isAbove))) return undefined;
  return mapBodies(list, (body) => body.flatMap((other) => (isAbove(other) ? [other, book] : [other])));
};

const mapBodies = (list: List, change: (body: Book[], page: number) => Book[]): List => ({
  ...list,
  pages: list.pages.map((page, index) => ({ ...page, body: change(page.body, index) })),
});
