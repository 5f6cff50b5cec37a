/** Real books, by which the relevance of search is measured. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type RealBook = { title: string; author: string };

export type BookSet = {
  /** The name of its file. */
  name: string;
  books: readonly RealBook[];
};

/** Beside the repository: 8,000 books. It is not part of the repository. */
const largeSet = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data', 'goodbooks.csv');
/** A part of the repository, chosen by hand. */
const smallSet = join(import.meta.dirname, 'books.tsv');

/**
 * Reads books from a file whose first two columns are title and author: tab-separated, without a header, when its name ends in
 * `.tsv`; otherwise CSV with a header.
 * @param path the large set if there is one, or else the small set, when undefined.
 * @throws when the file cannot be read.
 */
export function readBookSet(path: string = existsSync(largeSet) ? largeSet : smallSet): BookSet {
  const text = readFileSync(path, 'utf8');
  const rows = path.endsWith('.tsv') ? readTsv(text) : readCsv(text).slice(1);
  const books = rows.flatMap(([title = '', author = '']) => (title && author ? [{ title, author }] : []));
  return { name: basename(path), books };
}

/** Books of a language, with their titles as visitors type them on another keyboard. Chosen and written by hand. */
export const readLanguage = (language: string): (RealBook & { q: string })[] =>
  readTsv(readFileSync(join(import.meta.dirname, `${language}.tsv`), 'utf8')).flatMap(
    ([title = '', author = '', q = '']) => (q ? [{ title, author, q }] : []),
  );

const readTsv = (text: string): string[][] => text.split(/\r?\n/).map((line) => line.split('\t'));

/** Reads fields as RFC 4180 defines them: commas, line ends, and quotes that are doubled inside quotes. */
export function readCsv(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const start = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new Error(`no CSV field at character ${start}`);
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  // A comma at the very end begins one more field.
  if (row.length > 0) rows.push([...row, '']);
  return rows;
}
