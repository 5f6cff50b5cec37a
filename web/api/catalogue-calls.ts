/** The calls that change the catalogue, and the list of the admin screen. They are not in queries.ts, which the home page loads. */
import type { NewBook } from '../../contract/book.ts';
import { paths } from '../../contract/paths.ts';
import { callApi } from './client.ts';
import { type BookSearch, type FoundBooksQuery, foundBooksQuery } from './queries.ts';

/** Prefix of the keys of the admin screen's lists. */
export const cataloguesKey = ['catalogue'] as const;

/** The books on the admin screen that match the search, page by page. */
export const catalogueQuery = (search: BookSearch): FoundBooksQuery => ({
  ...foundBooksQuery(cataloguesKey, search),
  // An admin must see the catalogue as it is now, never a cached one.
  gcTime: 0,
});

/** Adds the book to the catalogue once per key, however often it is sent. */
export const addBook = async (book: NewBook, idempotencyKey: string): Promise<void> => {
  const headers = { 'idempotency-key': idempotencyKey };
  await callApi(paths.addBook, { method: 'POST', json: book, headers });
};

/** Takes the book with this id out of sale. It can be restored. */
export const removeBook = async (id: string): Promise<void> => {
  await callApi(paths.deleteBook(id), { method: 'DELETE' });
};

/** Puts a removed book back on sale. */
export const restoreBook = async (id: string): Promise<void> => {
  await callApi(paths.restoreBook(id), { method: 'POST' });
};
