/** The import of a file of books: each row changes the book that it names, or adds one. */

import type { Book, Details, Edit, Shop } from './shop.ts';

/** `free`: undefined where the file has no such column. */
export type Row = { id: string | undefined; details: Details & Pick<Edit, 'free'> };

/** @returns the number of rows for each result. If two rows name the same book, the first one changes it. */
export function importRows(shop: Shop, rows: readonly Row[], isDryRun: boolean) {
  const named = new Map<string, boolean>();
  const isNamedOnce = ({ id, details: { title, author } }: Row): boolean => {
    const name = JSON.stringify([title, author]);
    const hadId = named.get(name);
    if (hadId === undefined) named.set(name, id !== undefined);
    // The shop may have several books of a name.
    return hadId === undefined || (hadId && id !== undefined);
  };
  const meant = new Set<Book>();
  const planned = rows
    .filter(isNamedOnce)
    .map(({ id, details }) => {
      const book = id === undefined ? meantBy(shop, details) : shop.books.find((one) => one.id === id);
      return { book, details };
    })
    .filter(({ book }) => {
      const isAgain = book !== undefined && meant.has(book);
      if (book) meant.add(book);
      return !isAgain;
    });
  const counts = {
    added: 0,
    changed: 0,
    restored: 0,
    unchanged: 0,
    errorCount: rows.length - planned.length,
  };
  for (const { book, details } of planned) {
    const isRestored = book !== undefined && book.deletedAt !== null;
    const isOther =
      isRestored || Object.entries(details).some(([name, value]) => Reflect.get(book ?? {}, name) !== value);
    if (!book) counts.added += 1;
    else if (isOther) counts.changed += 1;
    else counts.unchanged += 1;
    if (isRestored) counts.restored += 1;
    if (isDryRun || !isOther) continue;
    if (book) writeRow(shop, book, details);
    else shop.insert({ free: null, ...details });
  }
  return counts;
}

function writeRow(shop: Shop, book: Book, details: Row['details']): void {
  const { version, deletedAt } = book;
  shop.restore(book);
  shop.change(book, details);
  if (deletedAt !== null) book.version = version + 1;
}

/** @returns the newest book of this name for sale, or else sold out, or else the one that was deleted last. */
function meantBy(shop: Shop, row: Details): Book | undefined {
  const named = shop.named(row);
  const deleted = named.filter(({ deletedAt }) => deletedAt !== null);
  deleted.sort((one, other) => Number(one.deletedAt) - Number(other.deletedAt));
  const isSoldOut = ({ soldOutAt }: Book) => soldOutAt !== null;
  return named.findLast(shop.isForSale) ?? named.findLast(isSoldOut) ?? deleted.at(-1);
}
