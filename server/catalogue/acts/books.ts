import { Type } from 'typebox';
import { BookParams } from '../../../contract/book.ts';
import { fieldsByName, maxCopies } from '../../../contract/book-fields.ts';
import { DeskBook, DeskBooksQuery } from '../../../contract/desk/books.ts';
import { ChangeBooks, ChangedBooks, UndoBooks } from '../../../contract/desk/changed-books.ts';
import { maxAtOnce } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Money } from '../../../contract/price.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { Answer, act } from '../../access/act.ts';
import { plainEtag } from '../../http/etags.ts';
import { Problem } from '../../http/problems.ts';
import { forgivenHeaders } from '../../search/forgive.ts';
import { bookResponse } from '../book-response.ts';
import { findBook as findForSale } from '../books.ts';
import { changeBooks as change, undoBooks as undo } from '../change-books.ts';
import { findDeskBook, listDeskBooks } from '../desk-books.ts';
import { copiesBy, editBook } from '../edit-book.ts';

export const listBooks = act({
  method: 'GET',
  path: deskPaths.books,
  operationId: 'listDeskBooks',
  summary: 'Lists books for sale, sold out or deleted, with what only the owner sees',
  description:
    'A page of a search may be short, or empty, although `Link` names another one. `Corrected-Query`, `Also-Found` and ' +
    '`Similar-Words` are those of `GET /books`.',
  scope: 'catalogue',
  input: { query: DeskBooksQuery },
  output: Type.Array(DeskBook),
  async run({ listDb }, { query }) {
    const { books, nextCursor, ...forgiven } = await listDeskBooks(listDb, query);
    const nextQuery = { q: forgiven.correctedTo ?? query.q };
    return new Answer(books, { nextCursor, nextQuery, headers: forgivenHeaders(forgiven) });
  },
  commands: {
    'books list': {
      purpose: 'Lists the books for sale, newest first.',
      hides: ['state', 'sort'],
      flags: {
        deleted: 'list the deleted ones instead, by the time of their deletion',
        'sold-out': 'list those that are sold out instead, by the time of their last sale',
      },
      given: ({ deleted, 'sold-out': soldOut }) => ({
        state: deleted ? 'deleted' : soldOut ? 'sold-out' : 'for-sale',
      }),
      limit: 999_999_999,
      line: bookLine,
      whenEmpty: 'No book is listed.',
    },
  },
});

export function bookLine(book: DeskBook, { format }: Money): string[] {
  const { _id, price, title, author, copies, removedAt } = book;
  const stock = copies === 0 ? 'sold out' : copies === 1 ? '1 copy' : `${copies} copies`;
  return [
    ...[_id, format(price.value).padStart(10)],
    ...(copies === null ? [] : [stock]),
    ...(removedAt === null ? [] : [removedAt]),
    ...[title, author],
  ];
}

export const findBook = act({
  method: 'GET',
  path: deskPaths.book,
  operationId: 'findDeskBook',
  summary: 'Finds a book, also a deleted one',
  description: 'The response for a book for sale has the ETag of `GET /book/{id}`.',
  scope: 'catalogue',
  input: { params: BookParams },
  output: DeskBook,
  problems: ['BOOK_NOT_FOUND'],
  async run({ db }, { params: { id } }) {
    // This read comes first: if the book changes before the next read, the ETag is too old, and an edit with it is refused.
    const forSale = await findForSale(db, id);
    const book = await findDeskBook(db, id);
    if (!book) throw new Problem('BOOK_NOT_FOUND');
    return new Answer(book, { headers: forSale ? { etag: plainEtag(bookResponse(forSale)) } : {} });
  },
});

export const changeCopies = act({
  method: 'POST',
  path: deskPaths.bookCopies,
  operationId: 'changeCopies',
  summary: 'Adds copies of a book, or takes away copies that were sold elsewhere',
  description:
    'Adds to the number that is there: a sale or another change at the same time counts too. Look at the book before you repeat ' +
    'it. Without a copy the book is sold out.',
  scope: 'catalogue',
  input: {
    params: BookParams,
    body: Part.Named('CopiesChange', {
      by: Type.Integer({
        minimum: -maxCopies,
        maximum: maxCopies,
        description:
          'How many copies come, or, below 0, are sold elsewhere. Two changes at once count twice.',
      }),
    }),
  },
  output: DeskBook,
  problems: ['BOOK_NOT_FOUND', 'SOLD_OUT'],
  async run({ db, actor, onShelfChanged }, { params: { id }, body: { by } }) {
    const edited = await editBook(db, id, (book) => copiesBy(book, by), { actor, isExpected: () => true });
    const book = edited && (await findDeskBook(db, id));
    if (!book) throw new Problem('BOOK_NOT_FOUND');
    onShelfChanged();
    return book;
  },
});

export const changeBooks = act({
  method: 'POST',
  path: deskPaths.booksChange,
  operationId: 'changeBooks',
  summary: 'Changes the price or a subject of many books, deletes them or restores them',
  description:
    'A subject is a part of the keywords between commas, outside parentheses. The response says what has changed, for `POST /desk/api/books/undo`, ' +
    'and which books were left alone. The same call again changes no price twice, because the versions are others then.',
  scope: 'catalogue',
  input: { body: ChangeBooks },
  output: ChangedBooks,
  // The limit has room for the id and the version of each book.
  bodyLimit: maxAtOnce * 128,
  async run({ db, money, actor, onShelfChanged }, { body: { books, change: wanted, dryRun = false } }) {
    const result = await change(db, books, { change: wanted, money, isDryRun: dryRun }, actor);
    if (!dryRun) onShelfChanged();
    return result;
  },
});

export const undoBooks = act({
  method: 'POST',
  path: deskPaths.booksUndo,
  operationId: 'undoBooks',
  summary: 'Gives books the values back that they had before a change of many',
  description: 'Books that were changed since are left alone.',
  scope: 'catalogue',
  input: { body: UndoBooks },
  output: ChangedBooks,
  // The limit has room for the keywords of each book, in up to three bytes a letter.
  bodyLimit: maxAtOnce * (fieldsByName.keywords.maxLength * 3 + 200),
  async run({ db, actor, onShelfChanged }, { body }) {
    const result = await undo(db, body.books, actor);
    onShelfChanged();
    return result;
  },
});
