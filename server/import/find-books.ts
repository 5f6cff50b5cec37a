import { type Selection, type SqlBool, sql } from 'kysely';
import { allColumns, isNotDeleted } from '../catalogue/book-columns.ts';
import { lockBooks, stockColumns, withCopies } from '../catalogue/copies.ts';
import { engineOf } from '../database/engine.ts';
import type { Db, Tables } from '../database/tables.ts';
import type { ImportRow } from './check-row.ts';
import { nameOf } from './seen-rows.ts';

const foundColumns = [...stockColumns, ...allColumns] as const;
export type FoundBook = Selection<Tables, 'books', (typeof foundColumns)[number]> & { copies: number | null };

type Found = Map<ImportRow, FoundBook>;

/**
 * Finds the book of each row: the book with the row's id; without an id, the only book with its ISBN that is not deleted; otherwise, by
 * exact title and author, the newest book for sale, or the newest sold-out book, or the last deleted book.
 */
export async function findBooksOf(db: Db, rows: readonly ImportRow[]): Promise<Found> {
  const found: Found = new Map();
  const withoutId = rows.filter(({ id }) => id === undefined);
  await findById(db, rows, found);
  await findByIsbn(db, withoutId, found);
  await findByName(db, withoutId, found);
  return found;
}

/** Locks the books in the order of their ids, as orders do: transactions that lock in different orders could deadlock. */
export async function lockBooksOf(db: Db, rows: readonly ImportRow[]): Promise<Found> {
  // Only one import writes at a time: two could each add a book that neither of them finds.
  await engineOf(db).lockImports(db);
  const locked = new Set<string>();
  for (;;) {
    const found = await findBooksOf(db, rows);
    // After the lock, a row may mean another book: its book may have been renamed or deleted meanwhile.
    const missing = [...found.values()].map(({ id }) => id).filter((id) => !locked.has(id));
    if (missing.length === 0 || !engineOf(db).locksRows) return found;
    await lockBooks(db, missing);
    for (const id of missing) locked.add(id);
  }
}

async function findById(db: Db, rows: readonly ImportRow[], found: Found): Promise<void> {
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return;
  const query = db.selectFrom('books').select(foundColumns).where('books.id', 'in', ids);
  const byId = new Map((await withCopies(db, await query.execute())).map((book) => [book.id, book]));
  for (const row of rows) {
    const book = byId.get(row.id ?? '');
    if (book) found.set(row, book);
  }
}

async function findByIsbn(db: Db, rows: readonly ImportRow[], found: Found): Promise<void> {
  const withIsbn = rows.filter(({ details, isIsbnShared }) => details.isbn && !isIsbnShared);
  if (withIsbn.length === 0) return;
  const isbns = withIsbn.flatMap(({ details }) => details.isbn ?? []);
  const query = db.selectFrom('books').select(foundColumns).where('isbn', 'in', isbns).where(isNotDeleted);
  const byIsbn = Map.groupBy(await withCopies(db, await query.execute()), ({ isbn }) => isbn);
  const rowsByName = new Map(rows.map((row) => [nameOf(row.details), row]));
  for (const row of withIsbn) {
    const [book, other] = byIsbn.get(row.details.isbn ?? null) ?? [];
    if (!book || other) continue;
    if ((rowsByName.get(nameOf(book)) ?? row) === row) found.set(row, book);
  }
}

const states = {
  'for sale': sql<SqlBool>`removed_at is null`,
  'sold out': sql<SqlBool>`removed_at is not null and sold_out_at is not null`,
  deleted: sql<SqlBool>`removed_at is not null and sold_out_at is null`,
};

async function findByName(db: Db, rows: readonly ImportRow[], found: Found): Promise<void> {
  for (const [state, isOfState] of Object.entries(states)) {
    const byName = new Map(
      rows.filter((row) => !found.has(row)).map((row) => [nameOf(row.details), row] as const),
    );
    if (byName.size === 0) return;
    const names = [...byName.values()].map(({ details: { title, author } }) => ({ title, author }));
    const items = engineOf(db).itemTable(names, { title: 'text', author: 'text' });
    const query = db
      .selectFrom('books')
      .innerJoin(items, (join) =>
        join.onRef('item.title', '=', 'books.title').onRef('item.author', '=', 'books.author'),
      )
      .select(foundColumns)
      .where(isOfState)
      .orderBy(state === 'deleted' ? 'removed_at' : 'seq');
    // The map keeps the last book of each name.
    for (const book of await withCopies(db, await query.execute())) {
      const row = byName.get(nameOf(book));
      if (row) found.set(row, book);
    }
  }
}
