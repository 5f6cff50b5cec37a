import { designOf, drawingOf } from '../../contract/drawn-cover.ts';

type CoveredBook = { id: string; image: string };

/** @returns the books in nearly the same order, in which no two drawn covers of one design stand side by side, where that is possible. */
export function apart<Book extends CoveredBook>(books: readonly Book[]): Book[] {
  const rest = [...books];
  const row: Book[] = [];
  while (rest.length > 0) {
    const design = designOn(row.at(-1));
    const next = rest.findIndex((book) => design === undefined || designOn(book) !== design);
    row.push(...rest.splice(Math.max(next, 0), 1));
  }
  return row;
}

/** @returns undefined for a book with a picture. */
const designOn = (book: CoveredBook | undefined): number | undefined =>
  book && book.image === '' ? designOf(drawingOf(book.id)) : undefined;
