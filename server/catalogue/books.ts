import { createHash } from 'node:crypto';
import type { Selection } from 'kysely';
import type { Book } from '../../contract/book.ts';
import {
  type BookColumns,
  type BookDetails,
  type BookValues,
  byField,
  shownFields,
  storedFields,
} from '../../contract/book-fields.ts';
import { type Actor, actorId, recordActivity } from '../activity/activity.ts';
import { newId } from '../database/ids.ts';
import type { Db, Tables } from '../database/tables.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { textColumnsOf } from '../search/text-columns.ts';
import { bookColumns, coverColour, isNotDeleted, listedColumns } from './book-columns.ts';
import { lockBooks, setCopies } from './copies.ts';
import { hyphenateIsbn } from './hyphenate-isbn.ts';

export type ListedBookForSale = Selection<Tables, 'books', (typeof listedColumns)[number]>;
export type BookForSale = Selection<Tables, 'books', (typeof bookColumns)[number]>;

export type BookPosition = {
  seq: number;
  titleSort?: string;
  authorSort?: string | null;
  priceCents?: number;
};

export const positionColumns = [
  'seq',
  'title_sort as titleSort',
  'author_sort as authorSort',
  'price_cents as priceCents',
] as const;

/** @returns the book as the API shows it (spec section 3), its price as an amount such as 12.99. */
export const presentBook = (book: ListedBookForSale & Partial<Pick<BookForSale, 'isbn'>>): Book => ({
  _id: book.id,
  ...byField<Omit<Book, '_id'>>(
    shownFields,
    ({ present, property }) => present((book as Partial<BookValues>)[property] ?? null) ?? undefined,
  ),
  ...(book.isbn ? { isbnText: hyphenateIsbn(book.isbn) } : {}),
});

export const columnsOfBook = (details: BookDetails) => ({
  ...byField<BookColumns>(storedFields, ({ property }) => details[property] ?? null, 'column'),
  ...textColumnsOf(details),
});

export const wrongCursor = () => fieldProblem('cursor', 'Take it from the Link header of a page.');

/** Finds the position of a book, or of a removed book: the next page continues there. */
export const findPosition = (db: Db, id: string): Promise<BookPosition> =>
  db.selectFrom('books').select(positionColumns).where('id', '=', id).executeTakeFirstOrThrow(wrongCursor);

/** `version` counts its edits; `copiesLeft`: null for any number, 4 for 4 and more. */
export type BookVersion = BookForSale & {
  version: number;
  copiesLeft: number | null;
  keywords: string | null;
  coverColour: string | null;
};

/** Finds a book for sale or sold out. @returns undefined for a deleted book and for none. */
export const findBook = (db: Db, id: string): Promise<BookVersion | undefined> =>
  db
    .selectFrom('books')
    .select([...bookColumns, 'version', 'copies_left as copiesLeft', 'books.keywords', coverColour])
    .where('books.id', '=', id)
    .where(isNotDeleted)
    .executeTakeFirst();

export const booksForSale = (db: Db) => db.selectFrom('books').where('books.removed_at', 'is', null);

export async function findForSale(db: Db, ids: readonly string[]): Promise<ListedBookForSale[]> {
  if (ids.length === 0) return [];
  const found = await booksForSale(db).select(listedColumns).where('books.id', 'in', ids).execute();
  const byId = new Map(found.map((book) => [book.id, book]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** @returns true if the catalogue has ever had a book, removed ones included. */
export const hasAnyBook = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('books').select('id').limit(1).executeTakeFirst()) !== undefined;

/**
 * Adds a book as the newest; once per actor and key.
 * @param actor null for the demo catalogue, which the audit trail does not record.
 * @throws {Problem} IDEMPOTENCY_KEY_REUSED when the key belongs to another book.
 */
export async function addBook(
  db: Db,
  details: BookDetails,
  actor: Actor | null,
  idempotencyKey?: string,
): Promise<BookForSale> {
  if (!db.isTransaction)
    return await db.transaction().execute((db) => addBook(db, details, actor, idempotencyKey));
  const request = {
    added_by: actor && actorId(actor),
    idempotency_key: idempotencyKey ?? null,
    request_hash: idempotencyKey === undefined ? null : hashOfBook(details),
  };
  const added = await db
    .insertInto('books')
    .values({ ...columnsOfBook(details), ...request, id: newId(), added_at: Date.now() })
    .onConflict((conflict) =>
      conflict.columns(['added_by', 'idempotency_key']).where('idempotency_key', 'is not', null).doNothing(),
    )
    .returning(bookColumns)
    .executeTakeFirst();
  if (!added) return await findAdded(db, request);
  if (actor) await recordActivity(db, 'book-added', actor, { book: added });
  const { copies: left = null } = details;
  const books = left === null ? [] : await lockBooks(db, [added.id]);
  const stocks = books.map((book) => ({ book, left }));
  await setCopies(db, stocks, { come: [details] });
  return added;
}

type AddRequest = Pick<Tables['books'], 'added_by' | 'idempotency_key' | 'request_hash'>;

async function findAdded(db: Db, request: AddRequest): Promise<BookForSale> {
  const { request_hash: earlierHash, ...book } = await db
    .selectFrom('books')
    .select([...bookColumns, 'request_hash'])
    .where('added_by', '=', request.added_by)
    .where('idempotency_key', '=', request.idempotency_key)
    .executeTakeFirstOrThrow();
  if (earlierHash !== request.request_hash) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return book;
}

/**
 * Two requests with the same hash add the same book. The hashes are stored: a new field must not change the hash of a
 * request without it, so missing ones are left out.
 */
const hashOfBook = (details: BookDetails): string => {
  const entries = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  return createHash('sha256').update(JSON.stringify(entries.sort())).digest('base64url');
};
