/** The calls that read books. */

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Book, BookInStock } from '../../contract/book.ts';
import {
  alsoFoundHeader,
  type BookSearch,
  correctedQueryHeader,
  listNameHeader,
  parametersOf,
  readAlsoFound,
  similarWordsHeader,
} from '../../contract/book-search.ts';
import { paths } from '../../contract/paths.ts';
import type { Front } from '../../contract/shop-front.ts';
import { type ListPage, list, read } from './calls.ts';
import { fromPage } from './painted-screen.ts';

const minuteMs = 60_000;

/** The lists that a visitor has seen stay in the cache, so that Back shows them at once and without a request. */
export const keptForBack = { staleTime: 5 * minuteMs, gcTime: 30 * minuteMs };

/** Prefix of the keys of all that home has shown. A change of the catalogue removes these queries. */
export const homeKey = ['home'] as const;

/** Prefix of the keys of all lists that home has shown. */
export const bookListsKey = [...homeKey, paths.books] as const;

/** The part of home above its list. */
export const frontQuery = {
  ...read<Front>('home', paths.front),
  ...fromPage(({ front }) => front),
  ...keptForBack,
};

export type FoundBooks = ListPage<Book>;

/** The books for sale that match the search. */
export const bookListQuery = (search: BookSearch) => {
  const filters = parametersOf(search);
  const query = list<Book>('home', paths.books, filters);
  return {
    ...query,
    ...fromPage(({ list: painted }): InfiniteData<FoundBooks, string> | undefined => {
      if (painted?.address !== query.initialPageParam) return undefined;
      const { address, body, next, headers } = painted;
      return { pages: [{ body, next, filters, headers: new Headers(headers) }], pageParams: [address] };
    }),
    ...keptForBack,
  };
};

export const cataloguesKey = ['catalogue', paths.books] as const;

/** The books on the admin screen that match the search, as the catalogue is now. */
export const catalogueQuery = (search: BookSearch) =>
  list<Book>('catalogue', paths.books, parametersOf(search));

/** @param headers of the first page. @returns what the store offers for a search that finds little. */
export const forgivenIn = (headers: Headers) => ({
  /** The words that the store has searched for instead, because the words of the search find nothing. */
  correctedQuery: wordsIn(headers, correctedQueryHeader),
  /** Words of the catalogue that are similar, when nothing is found at all. */
  similarWords: wordsIn(headers, similarWordsHeader)?.split(' ') ?? [],
  /** The name of the author or the series whose list it is. */
  listName: wordsIn(headers, listNameHeader),
  /** Similar queries that find more books than this one. */
  alsoFound: readAlsoFound(headers.get(alsoFoundHeader)),
});

/** The words in the header are percent-encoded. */
const wordsIn = (headers: Headers, name: string): string | undefined => {
  const words = headers.get(name);
  return words ? decodeURIComponent(words) : undefined;
};

/** One book, for its page and its checkout. The query fails with status 404 when the book was deleted. A checkout never opens with a cached price. */
export const bookQuery = (id: string) => ({
  ...read<BookInStock>('book', paths.book(id)),
  ...fromPage(({ book }) => (book?._id === id ? book : undefined)),
});

/** A book whose page may be opened next. The key is another one, because a checkout never opens with a cached price. */
export const bookPreview = (id: string) => ({
  ...read<BookInStock>('home', paths.book(id)),
  staleTime: minuteMs,
  gcTime: minuteMs,
});

/** @returns the book as its preview has it, or a list that home has shown. */
export const bookInLists = (queryClient: QueryClient, id: string): BookInStock | undefined =>
  queryClient.getQueryData(bookPreview(id).queryKey) ??
  queryClient
    .getQueriesData<InfiniteData<FoundBooks>>({ queryKey: bookListsKey })
    .flatMap(([, found]) => found?.pages.flatMap(({ body }) => body) ?? [])
    .find(({ _id }) => _id === id);
