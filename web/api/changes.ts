/** The changes of the catalogue, and downloads: home does not load this module. */

import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { NewBook } from '../../contract/book.ts';
import { type Filters, paths, withFilters } from '../../contract/paths.ts';
import { send } from './calls.ts';
import type { FoundBooks } from './catalogue.ts';
import { apiOrigin } from './client.ts';

/** Adds the book to the catalogue once per key, however often it is sent. */
export const addBook = (book: NewBook, idempotencyKey: string): Promise<void> =>
  send('POST', paths.addBook, book, { headers: { 'idempotency-key': idempotencyKey } });

/** Takes the book with this id out of sale. It can be restored. */
export const removeBook = (id: string): Promise<void> => send('DELETE', paths.deleteBook(id));

export const restoreBook = (id: string): Promise<void> => send('POST', paths.restoreBook(id));

export const downloadAddress = (path: string, filters: Filters = {}): string =>
  new URL(withFilters(path, filters), apiOrigin).href;

/** Removes a deleted book from the lists in the cache, without fetching their pages again. */
export const takeFromLists = async (queryClient: QueryClient, queryKey: QueryKey, id: string) => {
  // A page that is still on its way may have the deleted book.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueriesData<InfiniteData<FoundBooks>>(
    { queryKey },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, body: page.body.filter(({ _id }) => _id !== id) })),
      },
  );
};
