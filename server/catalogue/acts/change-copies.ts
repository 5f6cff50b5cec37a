import { Type } from 'typebox';
import { BookParams } from '../../../contract/book.ts';
import { maxCopies } from '../../../contract/book-fields.ts';
import { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import { Problem } from '../../http/problems.ts';
import { findDeskBook } from '../desk-books.ts';
import { copiesBy, editBook } from '../edit-book.ts';

export const changeCopies = act({
  method: 'POST',
  path: deskPaths.bookCopies,
  operationId: 'changeCopies',
  summary: 'Adds copies of a book, or takes away copies that were sold elsewhere',
  description:
    'Adds to the number that is there: a sale or another change at the same time counts too. Look at the book before you repeat ' +
    'it. Without a copy the book is sold out.',
  scope: 'catalogue',
  limit: 'catalogue-changes',
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
