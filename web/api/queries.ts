/** The calls of the home screen, and those that several screens share: for a query its key, its address and its response. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import type { Book, BookInStock, SortOrder } from '../../contract/book.ts';
import {
  alsoFoundHeader,
  correctedQueryHeader,
  readAlsoFound,
  similarWordsHeader,
} from '../../contract/book-search.ts';
import { paths } from '../../contract/paths.ts';
import type { Session, SignOut } from '../../contract/session.ts';
import type { Front } from '../../contract/shop-front.ts';
import { callApi } from './client.ts';
import { fromPage } from './painted-screen.ts';

const minuteMs = 60_000;

/** The session of this browser: the customer, or null. Fetched once; a sign-in and a sign-out update it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await callApi<Session>(paths.session, { signal })).body,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** A search of a visitor; without words and newest first it is the plain list. */
export type BookSearch = {
  q: string;
  sort: SortOrder;
  /** When the words find nothing, similar ones are named and not searched for. */
  isAsTyped: boolean;
  /** The filters by their names in an address and in the API. */
  filters: BookFilters;
};

export const filterNames = ['subject', 'minPrice', 'maxPrice', 'from'] as const;
export type BookFilters = Partial<Record<(typeof filterNames)[number], string>>;

/** @returns the order in which the store lists the books that match, when none is chosen. */
export const defaultSort = (q: string): SortOrder => (q ? 'best' : 'newest');

/** The store's offers for a search that finds little. */
export type Forgiven = {
  /** The words that the store has found instead, when those of the search find nothing. */
  correctedQuery: string | undefined;
  /** When nothing is found at all: words that are similar, and in the catalogue. */
  similarWords: string[];
  /** Similar queries that find more books than a few. */
  alsoFound: ReturnType<typeof readAlsoFound>;
};

/** A page of the books that match. */
export type FoundBooks = Forgiven & {
  body: Book[];
  next: string | undefined;
  /** The search that the page is a response to. A list that is shown may be that of an earlier one. */
  search: BookSearch;
};

/** Prefix of the keys of what home has shown. A change of the catalogue removes it. */
export const homeKey = ['home'] as const;

/** Prefix of the keys of all lists that home has shown. */
export const bookListsKey = [...homeKey, 'book lists'] as const;

/** The part of home above its list. */
export const frontQuery = queryOptions({
  queryKey: [...homeKey, 'front'],
  queryFn: async ({ signal }) => (await callApi<Front>(paths.front, { signal })).body,
  ...fromPage(({ front }) => front),
  staleTime: 5 * minuteMs,
  gcTime: 30 * minuteMs,
});

const bookListPath = ({ q, sort, isAsTyped, filters }: BookSearch): string => {
  const parameters = new URLSearchParams(filters);
  if (q) parameters.set('q', q);
  if (sort !== defaultSort(q)) parameters.set('sort', sort);
  if (isAsTyped) parameters.set('spelling', 'as-typed');
  return `${parameters}` ? `${paths.books}?${parameters}` : paths.books;
};

/** The store may send an empty page that is not the last one: it has read a part of the catalogue, and nothing matches. */
const fetchFoundBooks = async (
  search: BookSearch,
  path: string,
  signal: AbortSignal,
): Promise<FoundBooks> => {
  let page = await callApi<Book[]>(path, { signal });
  while (page.body.length === 0 && page.next) page = await callApi<Book[]>(page.next, { signal });
  const { body, next, headers } = page;
  return { body, next, search, ...forgivenIn(headers) };
};

/** @param headers of the first page. */
export const forgivenIn = (headers: Headers): Forgiven => ({
  correctedQuery: wordsIn(headers, correctedQueryHeader),
  similarWords: wordsIn(headers, similarWordsHeader)?.split(' ') ?? [],
  alsoFound: readAlsoFound(headers.get(alsoFoundHeader)),
});

/** The header has the words percent-encoded. */
const wordsIn = (headers: Headers, name: string): string | undefined => {
  const words = headers.get(name);
  return words ? decodeURIComponent(words) : undefined;
};

/** The books that match a search, page by page. @param prefix of the key. */
export const foundBooksQuery = (prefix: readonly string[], search: BookSearch) =>
  infiniteQueryOptions({
    queryKey: [...prefix, search],
    queryFn: ({ pageParam, signal }) => fetchFoundBooks(search, pageParam, signal),
    initialPageParam: bookListPath(search),
    getNextPageParam: (page) => page.next,
  });

export type FoundBooksQuery = ReturnType<typeof foundBooksQuery>;

/** The books on the home screen that match the search, page by page. */
export const bookListQuery = (search: BookSearch): FoundBooksQuery => ({
  ...foundBooksQuery(bookListsKey, search),
  // Back from a checkout shows the list as it was, at once and without a request.
  staleTime: 5 * minuteMs,
  gcTime: 30 * minuteMs,
});

/** One book, for its page and its checkout. It fails with status 404 when the book was deleted. */
export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: ['book', id],
    queryFn: async ({ signal }) => (await callApi<BookInStock>(paths.book(id), { signal })).body,
    ...fromPage(({ book }) => (book?._id === id ? book : undefined)),
    // A checkout never opens with a cached price.
    gcTime: 0,
  });

/** @returns the book as a list that home has shown has it. */
export const bookInLists = (queryClient: QueryClient, id: string): Book | undefined =>
  queryClient
    .getQueriesData<InfiniteData<FoundBooks>>({ queryKey: bookListsKey })
    .flatMap(([, list]) => list?.pages.flatMap(({ body }) => body) ?? [])
    .find(({ _id }) => _id === id);

/** Prefix of the keys of all order lists seen in this tab. */
export const ordersKey = ['orders'] as const;

/** Prefix of the keys of all that the desk has fetched. */
export const deskKey = ['desk'] as const;

/** Ends the session on the server; with `everywhere` all sessions of its customer. */
export const signOut = async (options: SignOut): Promise<void> => {
  await callApi(paths.signOut, { method: 'POST', json: options });
};
