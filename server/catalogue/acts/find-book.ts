import { BookParams } from '../../../contract/book.ts';
import { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { Answer, act } from '../../access/act.ts';
import { plainEtag } from '../../http/etags.ts';
import { Problem } from '../../http/problems.ts';
import { bookResponse } from '../book-response.ts';
import { findBook as findForSale } from '../books.ts';
import { findDeskBook } from '../desk-books.ts';

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
