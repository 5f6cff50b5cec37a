import { queryOptions } from '@tanstack/react-query';
import type { Book, BookChanges } from '../../../contract/book.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import type {
  ChangeBooks,
  ChangedBooks,
  ManyBooksChange,
  UndoBooks,
} from '../../../contract/desk/changed-books.ts';
import type { FrontTable } from '../../../contract/desk/front-table.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { type Filters, paths } from '../../../contract/paths.ts';
import { list, read, send } from '../../api/calls.ts';
import { callApi } from '../../api/client.ts';
import { changesBetween, textsOf } from '../../books/book-texts.ts';
import { type Draft, type StoredTexts, typedIn } from '../../books/drafts.ts';

export const booksQuery = (filters: Filters) => list<DeskBook>('desk', deskPaths.books, filters);

export type OpenedBook = { book: DeskBook; stored: StoredTexts };

/** @throws {ApiProblem} with status 404 when the book was deleted. */
export const fetchBook = async (id: string, signal?: AbortSignal): Promise<OpenedBook> => {
  const { body: book, headers } = await callApi<DeskBook>(deskPaths.book(id), signal && { signal });
  return { book, stored: { texts: textsOf(book), etag: headers.get('etag') ?? '' } };
};

/** The book to edit, as it was when the editing began. */
export const editedBook = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'edited book', id],
    queryFn: ({ signal }) => fetchBook(id, signal),
    gcTime: 0,
  });

/**
 * Stores what was typed. The number of copies is compared too: customers change it, and the version does not cover it. @returns the new
 * version. @throws {ApiProblem} with status 412 or COPIES_CHANGED when the stored book differs from the opened one.
 */
export const editBook = async (id: string, draft: Draft): Promise<string> => {
  const { texts, etag } = draft.opened;
  const changes = changesBetween(typedIn(draft), texts);
  const copiesWas = texts.copies === '' ? null : Number(texts.copies);
  const json: BookChanges = changes.copies === undefined ? changes : { ...changes, copiesWas };
  const headers = { 'if-match': etag };
  const response = await callApi<Book>(paths.book(id), { method: 'PATCH', json, headers });
  return response.headers.get('etag') ?? '';
};

/** @param by how many copies were added; below 0: how many were sold elsewhere. @throws {ApiProblem} SOLD_OUT. */
export const changeCopies = (id: string, by: number) =>
  send<DeskBook>('POST', deskPaths.bookCopies(id), { by });

export const frontTable = read<FrontTable>('desk', deskPaths.frontTable);

/** A member that is missing stays as it is in the store. */
export const editFrontTable = ({ books, ...words }: Partial<FrontTable>) =>
  send('PATCH', deskPaths.frontTable, { ...words, books: books?.map(({ _id }) => _id) });

/** Puts a book on the front table, or takes it off; a repeated call changes nothing. @throws {ApiProblem} FRONT_TABLE_FULL. */
export const setOnFrontTable = (id: string, isOn: boolean) =>
  send('POST', deskPaths.bookFrontTable(id), { isOn }, { keepalive: true });

/** Changes the books of these versions, or only reports what the change would do. A repeated call changes no book twice. */
export const changeBooks = (
  books: readonly DeskBook[],
  change: ManyBooksChange,
  { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal } = {},
): Promise<ChangedBooks> => {
  const versions = books.map(({ _id, version }) => ({ _id, version }));
  const json: ChangeBooks = { books: versions, change, dryRun };
  return send('POST', deskPaths.booksChange, json, signal && { signal });
};

/** Undoes a change of books, except for books that have changed since. */
export const undoBooks = (changed: ChangedBooks['changed']): Promise<ChangedBooks> => {
  const books = changed.map(({ _id, version, from }) => ({ _id, version, ...from }));
  return send('POST', deskPaths.booksUndo, { books } satisfies UndoBooks);
};
