import { createHash } from 'node:crypto';
import type { Insertable, Selection } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Book } from '../../contract/book.ts';
import { centsToAmount } from '../../contract/money.ts';
import { type Actor, actorId, recordActivity } from '../activity/activity.ts';
import { batchedQuery } from '../database/batched-query.ts';
import type { Db, Tables } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { foldText, searchColumnsOf } from './search-text.ts';
import { countWords } from './words.ts';

/** The columns that queries read. The type, the queries and the insert derive from them. */
export const bookColumns = ['books.id', 'title', 'author', 'image', 'price_cents as priceCents'] as const;

/** A book for sale: `id`, `title`, `author`, `image` (an address), `priceCents` (integer cents). */
export type BookForSale = Selection<Tables, 'books', (typeof bookColumns)[number]>;

/** A book before it has an id. A column that may be null may be left out. */
export type BookDetails = Omit<BookForSale, 'id' | NullableOf<BookForSale>> &
  Partial<Pick<BookForSale, NullableOf<BookForSale>>> & {
    /** Further words that find it. No screen shows them. */
    keywords?: string | null;
  };
type NullableOf<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** The sort keys of a book: its place in each order of the list. */
export type BookPosition = { seq: number; titleSort: string; priceCents: number };

/** The columns of a {@link BookPosition}. */
export const positionColumns = ['seq', 'title_sort as titleSort', 'price_cents as priceCents'] as const;

/** @returns the book as the API shows it (spec section 3), its price as an amount such as 12.99. */
export const presentBook = ({ id, title, author, image, priceCents }: BookForSale): Book => ({
  _id: id,
  title,
  author,
  image,
  price: { value: centsToAmount(priceCents) },
});

/** Finds the position of a book, also of a removed one: the next page continues where that book was. */
export const findPosition = (db: Db, id: string): Promise<BookPosition | undefined> =>
  db.selectFrom('books').select(positionColumns).where('id', '=', id).executeTakeFirst();

const bookForSale = batchedQuery({
  columns: { id: 'text' },
  key: 'id',
  build: (db, items) =>
    db
      .selectFrom(items)
      .innerJoin('books', 'books.id', 'item.id')
      .select([...bookColumns, 'version'])
      .where('removed_at', 'is', null),
});

/** `version` counts its edits. */
export type BookVersion = BookForSale & { version: number };

/** Finds a book for sale. Simultaneous calls share one query. @returns undefined for a removed book and for none. */
export const findBook = (db: Db, id: string): Promise<BookVersion | undefined> => bookForSale(db, { id });

/** Finds the books for sale of exactly this title and author, newest first. */
export const findBooksTitled = (
  db: Db,
  { title, author }: { title: string; author: string },
): Promise<BookForSale[]> =>
  db
    .selectFrom('books')
    .select(bookColumns)
    .where('title', '=', title)
    .where('author', '=', author)
    .where('removed_at', 'is', null)
    .orderBy('seq', 'desc')
    .execute();

/** Whether the catalogue has ever had a book, removed ones included. */
export const hasAnyBook = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('books').select('id').limit(1).executeTakeFirst()) !== undefined;

/**
 * Adds a book under a new id, as the newest; once per actor and key. The same key with the same details returns the book
 * that it added.
 * @param actor null for the demo catalogue, which the audit trail does not record.
 * @throws {Problem} IDEMPOTENCY_KEY_REUSED when the key belongs to another book.
 */
export async function addBook(
  db: Db,
  details: BookDetails,
  actor: Actor | null,
  idempotencyKey?: string,
): Promise<BookForSale> {
  const inTransaction = <Result>(write: (db: Db) => Promise<Result>) =>
    db.isTransaction ? write(db) : db.transaction().execute(write);
  return await inTransaction(async (db) => {
    if (!actor) {
      const added = await insertBook(db, details).executeTakeFirstOrThrow();
      await countWords(db, { come: [details] });
      return added;
    }
    const requestHash = idempotencyKey === undefined ? null : hashOf(details);
    const key = { added_by: actorId(actor), idempotency_key: idempotencyKey ?? null };
    const added = await insertBook(db, details, { ...key, request_hash: requestHash })
      .onConflict((conflict) =>
        conflict
          .columns(['added_by', 'idempotency_key'])
          .where('idempotency_key', 'is not', null)
          .doNothing(),
      )
      .executeTakeFirst();
    if (added) {
      await recordActivity(db, 'book-added', actor, { book: added });
      await countWords(db, { come: [details] });
      return added;
    }
    const { request_hash: earlierHash, ...earlier } = await db
      .selectFrom('books')
      .select([...bookColumns, 'request_hash'])
      .where('added_by', '=', key.added_by)
      .where('idempotency_key', '=', key.idempotency_key)
      .executeTakeFirstOrThrow();
    if (earlierHash !== requestHash) throw new Problem('IDEMPOTENCY_KEY_REUSED');
    return earlier;
  });
}

const insertBook = (
  db: Db,
  details: BookDetails,
  request: Partial<Pick<Insertable<Tables['books']>, 'added_by' | 'idempotency_key' | 'request_hash'>> = {},
) => {
  const { priceCents, ...columns } = details;
  return db
    .insertInto('books')
    .values({
      ...columns,
      ...request,
      id: newId(),
      price_cents: priceCents,
      ...searchColumnsOf(details),
      title_sort: foldText(details.title),
      added_at: Date.now(),
    })
    .returning(bookColumns);
};

/**
 * Two requests with the same hash add the same book. The hashes are stored: a new field must not change the hash of a
 * request without it, so missing ones are left out.
 */
const hashOf = (details: BookDetails): string => {
  const entries = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  return createHash('sha256').update(JSON.stringify(entries.sort())).digest('base64url');
};

/** Of a book that leaves the sale or comes back: what changes the counts of words. Those of other books were not counted. */
const countedColumns = ['title', 'author', 'keywords', 'is_indexed'] as const;

/**
 * Takes a book off sale. Its row stays, with the time and the customer of the last removal.
 * @returns whether there ever was such a book.
 */
export async function removeBook(db: Db, id: string, actor: Actor): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    const removed = await db
      .updateTable('books')
      .set({ removed_at: Date.now(), removed_by: actorId(actor) })
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .returning(countedColumns)
      .executeTakeFirst();
    if (removed) {
      await recordActivity(db, 'book-deleted', actor, { book: { id, title: removed.title } });
      await countWords(db, { leave: removed.is_indexed ? [removed] : [] });
    }
    return removed !== undefined || (await findPosition(db, id)) !== undefined;
  });
}

/** Undoes {@link removeBook}. @returns the book, or undefined when there never was one. */
export async function restoreBook(db: Db, id: string, actor: Actor): Promise<BookVersion | undefined> {
  return await db.transaction().execute(async (db) => {
    const restored = await db
      .updateTable('books')
      .set({ removed_at: null })
      .where('id', '=', id)
      .where('removed_at', 'is not', null)
      .returning(countedColumns)
      .executeTakeFirst();
    if (restored) {
      await recordActivity(db, 'book-restored', actor, { book: { id, title: restored.title } });
      await countWords(db, { come: restored.is_indexed ? [restored] : [] });
    }
    return await findBook(db, id);
  });
}
