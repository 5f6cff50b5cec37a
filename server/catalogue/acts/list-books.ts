import { Type } from 'typebox';
import { DeskBook, DeskBooksQuery } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Money } from '../../../contract/price.ts';
import { Answer, act } from '../../access/act.ts';
import { forgivenHeaders } from '../../search/forgive.ts';
import { listDeskBooks } from '../desk-books.ts';

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
