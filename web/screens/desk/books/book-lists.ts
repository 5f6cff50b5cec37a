/** Shows a change of a book in the lists of the desk, without fetching their pages again. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { DeskBook } from '../../../../contract/desk-books.ts';
import { type DeskPage, deskBooksKey } from '../../../api/desk-queries.ts';

const mapLists = async (
  queryClient: QueryClient,
  change: (books: DeskBook[]) => DeskBook[],
): Promise<void> => {
  // A response that is still on its way may have the books as they were.
  await queryClient.cancelQueries({ queryKey: deskBooksKey });
  queryClient.setQueriesData<InfiniteData<DeskPage<DeskBook>>>(
    { queryKey: deskBooksKey },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, body: change(page.body) })) },
  );
};

export const showChange = (queryClient: QueryClient, changed: DeskBook): Promise<void> =>
  mapLists(queryClient, (books) => books.map((book) => (book._id === changed._id ? changed : book)));

/** Takes a book out: one that was deleted, or that was restored and is not a deleted one any more. */
export const takeOut = (queryClient: QueryClient, id: string): Promise<void> =>
  mapLists(queryClient, (books) => books.filter(({ _id }) => _id !== id));
