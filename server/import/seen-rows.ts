import type { ImportRow } from './check-row.ts';
import type { RowError } from './read-csv.ts';

export const nameOf = ({ title, author }: { title: string; author: string }) =>
  JSON.stringify([title, author]);

/** The rows that were already read from a file, to find rows that name the same book. */
export class SeenRows {
  /** Line numbers; negative for a row with an id. */
  readonly #names = new Map<string, number>();
  readonly #isbns = new Set<string>();
  readonly #books = new Map<string, number>();

  /** @returns the row; or a mistake if an earlier row names the same book. Rows with ids may share title and author. */
  addRow(row: ImportRow): ImportRow | RowError {
    const { line, id, details } = row;
    const name = nameOf(details);
    const earlier = this.#names.get(name);
    if (earlier === undefined) this.#names.set(name, id === undefined ? line : -line);
    else if (earlier > 0 || id === undefined) return sameBook(row, Math.abs(earlier));
    if (!details.isbn) return row;
    const isIsbnShared = this.#isbns.has(details.isbn);
    this.#isbns.add(details.isbn);
    return { ...row, isIsbnShared };
  }

  /** @param id of the book that the row was found to mean. @returns a mistake if an earlier row means the same book. */
  addBook(id: string, row: ImportRow): RowError | undefined {
    const earlier = this.#books.get(id);
    if (earlier !== undefined) return sameBook(row, earlier);
    this.#books.set(id, row.line);
    return undefined;
  }
}

const sameBook = ({ line, id }: ImportRow, earlier: number): RowError => ({
  line,
  column: id === undefined ? 'title' : 'id',
  reason: `Line ${earlier} has the same book.`,
});
