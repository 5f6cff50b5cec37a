/** The books as the desk shows them: with their keywords and copies, and with who deleted them and when. */

import { sql } from 'kysely';
import { byField, type OptionalFieldName, optionalFields } from '../../contract/book-fields.ts';
import type { DeskBook, DeskBooksQuery } from '../../contract/desk/books.ts';
import { readIsbn } from '../../contract/isbn.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { isUuid } from '../../contract/uuid.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';
import { type Forgiven, forgive } from '../search/forgive.ts';
import { readQuery, searchPatterns } from '../search/search-text.ts';
import { vocabularyOf } from '../search/words.ts';
import { allColumns, imageId } from './book-columns.ts';
import { presentBook } from './books.ts';
import { isDeleted, stockColumns, withCopies } from './copies.ts';
import { findAsTyped, findBooks, readCandidates } from './find-books.ts';
import { findSalesOf, isSalesSort, listBySales, type SalesSort } from './sold-books.ts';

type DeskPage = { books: DeskBook[]; nextCursor: string | undefined };

/** Without a state, those for sale and after them those that are sold out. An id finds its book. */
export async function listDeskBooks(db: Db, request: DeskBooksQuery): Promise<Forgiven<DeskPage>> {
  const { q = '', cursor } = request;
  const page = await listAsTyped(db, request);
  const query = readQuery(q);
  if (!query || cursor !== undefined || isUuid(q) || readIsbn(q)) return page;
  return await forgive(page, {
    query,
    vocabulary: vocabularyOf(db, request.state === 'for-sale' ? 1 : 0),
    list: (other, isWhole) =>
      listAsTyped(db, { ...request, q: other, ...(isWhole && { limit: maxPageSize }) }),
    read: readCandidates(db),
  });
}

async function listAsTyped(db: Db, request: DeskBooksQuery): Promise<DeskPage> {
  const { state, ...query } = request;
  const { sort } = query;
  if (query.q !== undefined && isUuid(query.q)) {
    const [book] = await describeBooks(db, [{ id: query.q }]);
    const isListed = book && (state === undefined ? stateOf(book) !== 'deleted' : stateOf(book) === state);
    if (isListed) return { books: [book], nextCursor: undefined };
  }
  if (state === 'without-picture') return await listWithoutPicture(db, query);
  if (isSalesSort(sort) && state !== 'deleted') {
    if (readQuery(query.q ?? '')) return await listMatchesBySales(db, { ...request, sort });
    const { found, nextCursor } = await listBySales(db, conditions[state ?? 'kept'], { ...query, sort });
    return { books: await describeBooks(db, found), nextCursor };
  }
  if (state === 'for-sale') return await listForSale(db, query);
  if (state !== undefined) return await listOffShelf(db, state, query);
  return await listKept(db, query);
}

const stateOf = ({ removedAt, copies }: DeskBook): NonNullable<DeskBooksQuery['state']> => {
  if (removedAt !== null) return 'deleted';
  return copies === 0 ? 'sold-out' : 'for-sale';
};

type Query = Omit<DeskBooksQuery, 'state'>;

const conditions = {
  'for-sale': sql<boolean>`books.removed_at is null`,
  'sold-out': sql<boolean>`books.sold_out_at is not null`,
  kept: sql<boolean>`(books.removed_at is null or books.sold_out_at is not null)`,
};

const figures: Readonly<Record<SalesSort, (book: DeskBook) => number>> = {
  sold: ({ sold }) => sold,
  revenue: ({ revenue }) => revenue,
  'last-sale': ({ lastSoldAt }) => Date.parse(lastSoldAt ?? '1970-01-01'),
};

async function listMatchesBySales(
  db: Db,
  { sort, limit = maxPageSize, ...request }: Omit<DeskBooksQuery, 'sort'> & { sort: SalesSort },
): Promise<DeskPage> {
  const { books } = await listAsTyped(db, { ...request, limit: maxPageSize });
  const sorted = books.sort((one, other) => figures[sort](other) - figures[sort](one));
  return { books: sorted.slice(0, limit), nextCursor: undefined };
}

const newestBooks = 10_000;

/** The newest books for sale whose image is one of the store that it does not have. Images elsewhere are not looked at. */
export const withoutPicture = sql<{ id: string; seq: number }>`
  select id, seq from (
    select id, seq, image, search_text from books where removed_at is null order by seq desc limit ${sql.lit(newestBooks)}
  ) as books
  where image not like 'http%' and not exists (select 1 from images where images.id = ${imageId})
`;

async function listWithoutPicture(db: Db, { q = '', limit = maxPageSize }: Query): Promise<DeskPage> {
  const { rows } = await sql<{ id: string }>`
    ${withoutPicture} and ${hasWords(db, q)} order by seq desc limit ${limit}
  `.execute(db);
  return { books: await describeBooks(db, rows), nextCursor: undefined };
}

/** Lists the books for sale, and after their last page goes on with those that are sold out. */
async function listKept(db: Db, { cursor, limit = maxPageSize, ...query }: Query): Promise<DeskPage> {
  const isAfterSale = cursor !== undefined && offShelfCursor.test(cursor);
  const forSale = isAfterSale
    ? undefined
    : await listForSale(db, { ...query, limit, ...(cursor !== undefined && { cursor }) });
  if (forSale?.nextCursor !== undefined) return forSale;
  const { books = [] } = forSale ?? {};
  const rest = { ...query, limit: limit - books.length, ...(isAfterSale && { cursor }) };
  const soldOut = await listOffShelf(db, 'sold-out', rest);
  return { ...soldOut, books: [...books, ...soldOut.books] };
}

export const findDeskBook = async (db: Db, id: string): Promise<DeskBook | undefined> =>
  (await describeBooks(db, [{ id }]))[0];

async function listForSale(db: Db, { sort, ...query }: Query): Promise<DeskPage> {
  // The orders by sales do not come here.
  const order = sort === 'newest' || sort === 'title' || sort === 'price' ? { sort } : {};
  const find = readQuery(query.q ?? '') ? findAsTyped : findBooks;
  const { books, nextCursor } = await find(db, { ...query, ...order });
  return { books: await describeBooks(db, books), nextCursor };
}

const hasWords = (db: Db, q: string) => engineOf(db).hasPatterns(searchPatterns(readIsbn(q) ?? q));

/** Lists by the time of deletion, or of the last sale: each has an index. */
async function listOffShelf(
  db: Db,
  state: 'sold-out' | 'deleted',
  { q = '', limit = maxPageSize, cursor }: Query,
): Promise<DeskPage> {
  const after = cursor === undefined ? beforeFirst : readCursor(cursor);
  const column = state === 'deleted' ? 'removed_at' : 'sold_out_at';
  const listed = db
    .selectFrom('books')
    .select(['id', 'seq', `${column} as at`])
    .where(column, 'is not', null)
    .where(hasWords(db, q))
    .where(({ eb, refTuple, tuple }) => eb(refTuple(column, 'seq'), '<', tuple(after.at, after.seq)))
    .orderBy(column, 'desc')
    .orderBy('seq', 'desc')
    .limit(limit + 1);
  const found = await (state === 'deleted' ? listed.where('sold_out_at', 'is', null) : listed).execute();
  const page = found.slice(0, limit);
  const last = found.length > limit ? (page.at(-1) ?? after) : undefined;
  return { books: await describeBooks(db, page), nextCursor: last && `${last.at}.${last.seq}` };
}

const offShelfCursor = /^(\d{1,15})\.(\d{1,15})$/;
const beforeFirst = { at: 999_999_999_999_999, seq: 0 };

function readCursor(cursor: string): { at: number; seq: number } {
  const [, at, seq] = offShelfCursor.exec(cursor) ?? [];
  if (at === undefined || seq === undefined)
    throw fieldProblem('cursor', 'Take it from the Link header of a page.');
  return { at: Number(at), seq: Number(seq) };
}

async function describeBooks(db: Db, found: readonly { id: string }[]): Promise<DeskBook[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = await db
    .selectFrom('books')
    .leftJoin('customers', (join) =>
      join.onRef('customers.id', '=', 'books.removed_by').on('customers.erased_at', 'is', null),
    )
    .select([
      ...stockColumns,
      ...allColumns,
      'added_at',
      'removed_by',
      'version',
      'customers.email',
      'front_table_at',
    ])
    .where('books.id', 'in', ids)
    .execute();
  const byId = new Map((await withCopies(db, rows)).map((row) => [row.id, row]));
  const salesOf = await findSalesOf(db, ids);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { added_at, removed_by, version, email } = row;
    const removedAt = isDeleted(row) ? row.removedAt : null;
    return {
      ...presentBook(row),
      ...byField<Pick<DeskBook, OptionalFieldName>>(optionalFields, ({ property }) => row[property]),
      addedAt: timeText(added_at),
      removedAt: timeOrNull(removedAt),
      // It stays when the book is restored.
      removedBy: removedAt === null ? null : removerOf(removed_by, email),
      version,
      ...(row.front_table_at === null ? {} : { onFrontTable: true as const }),
      ...salesOf(id),
    };
  });
}

function removerOf(removedBy: string | null, email: string | null): DeskBook['removedBy'] {
  if (removedBy?.startsWith(':')) return { token: removedBy.slice(1) };
  return email === null ? null : { email };
}
