/** Finds the books that rows mean, and writes what differs, with a few statements for many rows. */

import { type Selection, type SqlBool, sql } from 'kysely';
import { type BookColumns, byField, storedFields } from '../../contract/book-fields.ts';
import { type Actor, actorId } from '../activity/activity.ts';
import { allColumns, isNotDeleted } from '../catalogue/book-columns.ts';
import { columnsOfBook } from '../catalogue/books.ts';
import { isDeleted, lockBooks, setCopies, stockColumns, withCopies } from '../catalogue/copies.ts';
import { areWordsCounted, changedFields } from '../catalogue/edit-book.ts';
import { engineOf } from '../database/engine.ts';
import { newId } from '../database/ids.ts';
import type { Db, Tables } from '../database/tables.ts';
import { textColumnTypes } from '../search/text-columns.ts';
import type { ImportRow } from './check-row.ts';

/** A row whose image is one that the book can have. `bookId`: the book that it meant when it was read. */
export type ReadyRow = ImportRow & { columns: ReturnType<typeof columnsOfBook>; bookId: string | undefined };

const foundColumns = [...stockColumns, ...allColumns, 'title_key'] as const;
type FoundRow = Selection<Tables, 'books', (typeof foundColumns)[number]>;
/** `copies`: those that can be sold, null for any number; left out where the row says nothing of them. */
export type FoundBook = FoundRow & { copies?: number | null };

/** The effect of a row on the catalogue. A deleted book is restored, and perhaps changed too. */
export type Outcome = 'added' | 'changed' | 'restored' | 'unchanged';

/**
 * Finds the book of each row: the one with the row's id; for a row without one, the only one with its ISBN that is not deleted; or
 * else the newest for sale of exactly this title and author, the newest that is sold out, or the one that was deleted last.
 */
export async function findBooksOf(db: Db, rows: readonly ImportRow[]): Promise<Map<ImportRow, FoundBook>> {
  const found = new Map<ImportRow, FoundRow>();
  const withId = rows.filter(({ id }) => id !== undefined);
  const booksById = new Map<string, FoundRow>();
  if (withId.length > 0) {
    const items = engineOf(db).itemTable(JSON.stringify(withId.map(({ id }) => ({ id }))), { id: 'text' });
    const query = db.selectFrom('books').innerJoin(items, 'item.id', 'books.id').select(foundColumns);
    for (const book of await query.execute()) booksById.set(book.id, book);
  }
  for (const row of withId) {
    const book = booksById.get(row.id ?? '');
    if (book) found.set(row, book);
  }
  const withIsbn = rows.filter(
    ({ id, details, isIsbnShared }) => id === undefined && details.isbn && !isIsbnShared,
  );
  if (withIsbn.length > 0) {
    const rowsByName = new Map(
      rows.filter(({ id }) => id === undefined).map((row) => [nameOf(row.details), row] as const),
    );
    const isbns = withIsbn.map(({ details: { isbn } }) => ({ isbn }));
    const items = engineOf(db).itemTable(JSON.stringify(isbns), { isbn: 'text' });
    const query = db
      .selectFrom('books')
      .innerJoin(items, 'item.isbn', 'books.isbn')
      .select(foundColumns)
      .where(isNotDeleted);
    const byIsbn = Map.groupBy(await query.execute(), ({ isbn }) => isbn);
    for (const row of withIsbn) {
      const [book, other] = byIsbn.get(row.details.isbn ?? null) ?? [];
      if (!book || other) continue;
      const ofBook = rowsByName.get(nameOf(book)) ?? row;
      // Kept on the row: it may be written without the other one.
      if (ofBook === row) found.set(row, book);
      else row.isIsbnShared = true;
    }
  }
  for (const [state, isOfState] of Object.entries(states)) {
    const byTitle = new Map(
      rows
        .filter((row) => row.id === undefined && !found.has(row))
        .map((row) => [nameOf(row.details), row] as const),
    );
    if (byTitle.size === 0) continue;
    const names = [...byTitle.values()].map(({ details: { title, author } }) => ({ title, author }));
    const items = engineOf(db).itemTable(JSON.stringify(names), { title: 'text', author: 'text' });
    const query = db
      .selectFrom('books')
      .innerJoin(items, (join) =>
        join.onRef('item.title', '=', 'books.title').onRef('item.author', '=', 'books.author'),
      )
      .select(foundColumns)
      .where(isOfState)
      .orderBy(state === 'deleted' ? 'removed_at' : 'seq');
    // The last one of a name stays in the map.
    for (const book of await query.execute()) {
      const row = byTitle.get(nameOf(book));
      if (row) found.set(row, book);
    }
  }
  // The copies are not locked: those of books that change are counted again.
  const counted = await withCopies(
    db,
    [...found].flatMap(([{ details }, book]) => (details.copies === undefined ? [] : book)),
  );
  const copies = new Map(counted.map((book) => [book.id, book.copies]));
  return new Map(
    [...found].map(([row, book]) => {
      const count = copies.get(book.id);
      return [row, count === undefined ? book : { ...book, copies: count }];
    }),
  );
}

/** In each, the conditions that an index of the titles has. */
const states = {
  'for sale': sql<SqlBool>`removed_at is null`,
  'sold out': sql<SqlBool>`removed_at is not null and sold_out_at is not null`,
  deleted: sql<SqlBool>`removed_at is not null and sold_out_at is null`,
};

/** @returns the same text for the same title and author. */
export const nameOf = ({ title, author }: { title: string; author: string }) =>
  JSON.stringify([title, author]);

/** @returns what a row does. */
export function outcomeOf(row: ImportRow, book: FoundBook | undefined): Outcome {
  if (!book) return 'added';
  if (isDeleted(book)) return 'restored';
  return changedFields(book, row.details).length === 0 ? 'unchanged' : 'changed';
}

/** @returns the row with the texts that search compares: computed before the transaction, which holds the write lock. */
export const makeReady = (row: ImportRow, book: FoundBook | undefined): ReadyRow => ({
  ...row,
  columns: columnsOfBook({ ...book, ...row.details }),
  bookId: book?.id,
});

const fieldTypes = byField<Record<keyof BookColumns, 'text' | 'bigint'>>(
  storedFields,
  ({ columnType }) => columnType,
  'column',
);
/** The columns that an import writes. */
const columnTypes = {
  ...fieldTypes,
  id: 'text',
  ...textColumnTypes,
} as const;
// Object.keys forgets which names an object has.
const columnNames = Object.keys(columnTypes) as (keyof typeof columnTypes)[];

/**
 * Adds and changes the books of rows. A step of a transaction.
 * @returns what each row has done. It finds the books again: somebody may have changed them meanwhile.
 */
export async function writeRows(
  db: Db,
  rows: readonly ReadyRow[],
  actor: Actor,
): Promise<Map<ReadyRow, Outcome>> {
  await engineOf(db).lockImports(db);
  const found = await lockBooksOf(db, rows);
  const outcomes = new Map(rows.map((row) => [row, outcomeOf(row, found.get(row))]));
  const added = rows
    .filter((row) => outcomes.get(row) === 'added')
    .map(({ id, columns, details }) => ({ details, columns: { id: id ?? newId(), ...columns } }));
  const changed = rows.flatMap((row) => {
    const book = found.get(row);
    if (!book || outcomes.get(row) === 'unchanged') return [];
    const isStale = storedFields.some(
      ({ property, column }) => row.details[property] === undefined && book[property] !== row.columns[column],
    );
    const soldOutAt = isDeleted(book) && book.copiesLeft === 0 ? Date.now() : book.soldOutAt;
    const columns = {
      ...(isStale ? makeReady(row, book).columns : row.columns),
      id: book.id,
      removed_at: soldOutAt,
      sold_out_at: soldOutAt,
    };
    const isEdited = isDeleted(book) || changedFields(book, row.details).some(({ isCounted }) => !isCounted);
    return [{ book, columns, details: row.details, isEdited }];
  });
  const edited = changed.filter(({ isEdited }) => isEdited);
  await insertBooks(
    db,
    added.map(({ columns }) => columns),
    actor,
  );
  await updateBooks(
    db,
    edited.map(({ columns }) => columns),
  );
  const wanted = [
    ...added.flatMap(({ columns, details: { copies = null } }) =>
      copies === null ? [] : [{ book: { ...columns, ...onShelf }, copies }],
    ),
    ...changed.flatMap(({ book, columns, details: { copies }, isEdited }) => {
      if (copies === undefined || copies === book.copies) return [];
      const state = { removedAt: columns.removed_at, soldOutAt: columns.sold_out_at };
      const texts = isEdited ? columns : book;
      return [{ book: { ...book, ...texts, ...state }, copies }];
    }),
  ];
  await setCopies(db, wanted, {
    come: [
      ...added.map(({ columns }) => columns),
      ...edited.flatMap(({ columns }) => (columns.removed_at === null ? [columns] : [])),
    ],
    leave: edited.flatMap(({ book }) => (book.removedAt === null && areWordsCounted(book) ? [book] : [])),
  });
  return outcomes;
}

/** A book as it is added: any number of it can be sold. */
const onShelf = { removedAt: null, soldOutAt: null, copiesLeft: null };

type WrittenBook = { id: string } & ReadyRow['columns'];
type EditedBook = WrittenBook & { removed_at: number | null; sold_out_at: number | null };

/**
 * Locks the books of rows in the order of their ids, as orders do: two transactions that lock in different orders could deadlock.
 * @returns the books, as they stay to the end of the transaction.
 */
async function lockBooksOf(db: Db, rows: readonly ReadyRow[]): Promise<Map<ImportRow, FoundBook>> {
  const locked = new Set<string>();
  let missing = rows.flatMap(({ bookId }) => bookId ?? []);
  for (;;) {
    if (missing.length > 0) await lockBooks(db, missing);
    for (const id of missing) locked.add(id);
    const found = await findBooksOf(db, rows);
    // A row means another book now: its own was renamed or deleted since the file was read.
    missing = [...found.values()].flatMap(({ id }) => (locked.has(id) ? [] : id));
    if (missing.length === 0) return found;
  }
}

async function insertBooks(db: Db, books: readonly WrittenBook[], actor: Actor): Promise<void> {
  if (books.length === 0) return;
  const rows = books.map((book, position) => ({ ...book, position }));
  const items = engineOf(db).itemTable(JSON.stringify(rows), { ...columnTypes, position: 'bigint' });
  const select = db
    .selectFrom(items)
    .select(columnNames.map((name) => sql.ref<string>(`item.${name}`).as(name)))
    .select([
      sql<number>`cast(${Date.now()} as bigint)`.as('added_at'),
      sql<string>`cast(${actorId(actor)} as text)`.as('added_by'),
    ])
    // The order of the file is that of `seq`, by which the newest is first.
    .orderBy('item.position');
  await db
    .insertInto('books')
    .columns([...columnNames, 'added_at', 'added_by'])
    .expression(select)
    .execute();
}

async function updateBooks(db: Db, books: readonly EditedBook[]): Promise<void> {
  if (books.length === 0) return;
  const types = { ...columnTypes, removed_at: 'bigint', sold_out_at: 'bigint' } as const;
  const items = engineOf(db).itemTable(JSON.stringify(books), types);
  const written = Object.keys(types).filter((name) => name !== 'id');
  await db
    .updateTable('books')
    .from(items)
    .set(({ ref, eb }) => ({
      ...Object.fromEntries(written.map((name) => [name, ref(`item.${name}` as 'item.id')])),
      changed_at: Date.now(),
      version: eb('books.version', '+', 1),
    }))
    .whereRef('books.id', '=', 'item.id')
    .execute();
}
