import { BookParams } from '../../../contract/book.ts';
import { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import { findDeskBook } from '../../catalogue/desk-books.ts';
import { Problem } from '../../http/problems.ts';
import { setOnFrontTable as set } from '../front-table.ts';

export const setOnFrontTable = act({
  method: 'POST',
  path: deskPaths.bookFrontTable,
  operationId: 'setOnFrontTable',
  summary: 'Puts a book on the front table, or takes it off',
  description:
    'It stands there last. The table has six books at most; those that are sold out or deleted do not stand on it, and ' +
    'come back when they are for sale again.',
  scope: 'catalogue',
  limit: 'catalogue-changes',
  input: {
    params: BookParams,
    body: Part.Named('FrontTableChoice', {
      isOn: Part.Flag('Whether the book is on the front table from now on.'),
    }),
  },
  output: DeskBook,
  problems: ['BOOK_NOT_FOUND', 'FRONT_TABLE_FULL'],
  async run({ db, actor, onShelfChanged }, { params: { id }, body: { isOn } }) {
    const book = (await set(db, id, isOn, actor)) && (await findDeskBook(db, id));
    if (!book) throw new Problem('BOOK_NOT_FOUND');
    onShelfChanged();
    return book;
  },
});
