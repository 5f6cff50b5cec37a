import type { ImportRow } from './check-row.ts';

export const nameOf = ({ title, author }: { title: string; author: string }) =>
  JSON.stringify([title, author]);

/** The rows of one file that were read already, to notice those that mean the same book. */
export class SeenRows {
  /** Lines; below 0 that of a row with an id. */
  readonly #names = new Map<string, number>();
  readonly #isbns = new Set<string>();
  readonly #books = new Map<string, number>();

  /** @returns the line of an earlier row that names the same book. With ids, rows may share title and author. */
  addRow({ line, id, details }: ImportRow): number | undefined {
    const name = nameOf(details);
    const earlier = this.#names.get(name);
    if (earlier === undefined) this.#names.set(name, id === undefined ? line : -line);
    return earlier === undefined || (earlier < 0 && id !== undefined) ? undefined : Math.abs(earlier);
  }

  addIsbn({ details: { isbn } }: ImportRow): boolean {
    if (!isbn) return false;
    const isShared = this.#isbns.has(isbn);
    this.#isbns.add(isbn);
    return isShared;
  }

  addBook(id: string, line: number): number | undefined {
    const first = this.#books.get(id);
    if (first === undefined) this.#books.set(id, line);
    // The same line again: its transaction is repeated.
    return first === line ? undefined : first;
  }
}
