/** The books as the desk shows them: with their keywords and copies, and with who deleted them and when. */

import { type RawBuilder, sql } from 'kysely';
import { byField, type OptionalFieldName, optionalFields } from '../../contract/book-fields.ts';
import type { BookSales, DeskBook, DeskBooksQuery } from '../../contract/desk/books.ts';
import { readIsbn } from '../../contract/isbn.ts';
import { centsToAmount } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { isUuid } from '../../contract/uuid.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { type Forgiven, forgive } from '../search/forgive.ts';
import { listPatterns, readQuery, searchPatterns } from '../search/search-text.ts';
import { vocabularyOf } from '../search/words.ts';
import { allColumns, imageId } from './book-columns.ts';
import { presentBook, wrongCursor } from './books.ts';
import { isDeleted, stockColumns, withCopies } from './copies.ts';
import { findAsTyped, readCandidates } from './find-books.ts';

type DeskPage = { books: DeskBook[]; nextCursor: string | undefined };

/** The state to list. Without a state, the list has the books for sale, then the sold-out ones. An id finds its book. */
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
    read: (patterns) => readCandidates(db, patterns),
  });
}

const sortColumns = { sold: 'sold', revenue: 'cents', 'last-sale': 'last_sold_at' } as const;
type SalesSort = keyof typeof sortColumns;

const isSalesSort = (sort: DeskBooksQuery['sort']): sort is SalesSort =>
  sort !== undefined && sort in sortColumns;

/** A table to join: how often each book was sold, for how much, and when last. Withdrawn and cancelled orders do not count. */
const salesOf = (which = sql`true`) => sql`(
  select book_id as id, count(*) as sold, cast(sum(price_cents) as bigint) as cents, max(placed_at) as last_sold_at
  from orders where withdrawn_at is null and cancelled_at is null and ${which} group by book_id
) as sales`;

const salesValue = (sort: SalesSort) => sql`coalesce(sales.${sql.ref(sortColumns[sort])}, 0)`;

type State = NonNullable<DeskBooksQuery['state']> | 'kept';
const newestBooks = 10_000;
const conditions: Readonly<Record<State, RawBuilder<unknown>>> = {
  'for-sale': sql`removed_at is null`,
  'sold-out': sql`sold_out_at is not null`,
  kept: sql`(removed_at is null or sold_out_at is not null)`,
  deleted: sql`removed_at is not null and sold_out_at is null`,
  // The state lists books whose image should be in the store and is not. Images on other hosts are not checked.
  'without-picture': sql`removed_at is null
    and seq >= coalesce((select seq from books where removed_at is null order by seq desc limit 1 offset ${sql.lit(newestBooks)}), 0)
    and image not like 'http%' and not exists (select 1 from images where images.id = ${imageId})`,
};

export const withoutPicture = sql`select id from books where ${conditions['without-picture']}`;

async function listAsTyped(db: Db, request: DeskBooksQuery): Promise<DeskPage> {
  const { state, sort, q = '' } = request;
  if (isSalesSort(sort) && state !== 'deleted' && state !== 'without-picture')
    return await listByValue(db, request, salesValue(sort), salesOf());
  if (state === 'deleted') return await listByValue(db, request, sql`removed_at`);
  if (state === 'sold-out') return await listByValue(db, request, sql`sold_out_at`);
  if (state === 'without-picture' || isUuid(q)) return await listByValue(db, request, sql`seq`);
  return state === 'for-sale' ? await listForSale(db, request) : await listKept(db, request);
}

/** Lists the books for sale, and after their last page goes on with those that are sold out. */
async function listKept(
  db: Db,
  { cursor, limit = maxPageSize, ...query }: DeskBooksQuery,
): Promise<DeskPage> {
  const isAfterSale = cursor !== undefined && valueCursor.test(cursor);
  const forSale = isAfterSale
    ? undefined
    : await listForSale(db, { ...query, limit, ...(cursor !== undefined && { cursor }) });
  if (forSale?.nextCursor !== undefined) return forSale;
  const { books = [] } = forSale ?? {};
  const rest = { ...query, limit: limit - books.length, ...(isAfterSale && { cursor }) };
  const soldOut = await listAsTyped(db, { ...rest, state: 'sold-out' });
  return { ...soldOut, books: [...books, ...soldOut.books] };
}

export const findDeskBook = async (db: Db, id: string): Promise<DeskBook | undefined> =>
  (await describeBooks(db, [{ id }]))[0];

async function listForSale(db: Db, { sort, ...query }: DeskBooksQuery): Promise<DeskPage> {
  // `listBest` handles the orders by sales.
  const order = sort === 'newest' || sort === 'title' || sort === 'price' ? { sort } : {};
  const { books, nextCursor } = await findAsTyped(db, { ...query, ...order });
  return { books: await describeBooks(db, books), nextCursor };
}

const valueCursor = /^(\d{1,15})\.(\d{1,15})$/;
const beforeFirst = '999999999999999.0';

/** Lists the books of a state in the order of a value, such as their sales: the greatest first, and of equal ones the newest. */
async function listByValue(
  db: Db,
  { state, q = '', limit = maxPageSize, cursor = beforeFirst, ...list }: DeskBooksQuery,
  value: RawBuilder<unknown>,
  sales?: RawBuilder<unknown>,
): Promise<DeskPage> {
  const [, ...after] = valueCursor.exec(cursor) ?? [];
  if (after.length === 0) throw wrongCursor();
  const isFound = isUuid(q)
    ? sql`books.id = ${q}`
    : engineOf(db).hasPatterns([...searchPatterns(readIsbn(q) ?? q), ...listPatterns(list)]);
  const { rows } = await sql<{ id: string; seq: number; value: number }>`
    select books.id, seq, ${value} as value from books ${sales ? sql`left join ${sales} on sales.id = books.id` : sql``}
    where ${conditions[state ?? 'kept']} and ${isFound} and (${value}, seq) < (${sql.join(after.map(Number))})
    order by ${value} desc, seq desc limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const books = await describeBooks(db, page);
  return {
    books,
    nextCursor: rows.length > limit ? (last ? `${last.value}.${last.seq}` : cursor) : undefined,
  };
}

const noSales: BookSales = { sold: 0, revenue: 0, lastSoldAt: null };

/** @returns the number of sales by the book's id, without books that never sold. */
async function findSales(db: Db, ids: readonly string[]): Promise<Map<string, BookSales>> {
  const { rows } = await sql<{ id: string; sold: number; cents: number; last_sold_at: number }>`
    select * from ${salesOf(sql`book_id in (${sql.join(ids)})`)}
  `.execute(db);
  return new Map(
    rows.map(({ id, sold, cents, last_sold_at }) => [
      id,
      { sold, revenue: centsToAmount(cents), lastSoldAt: timeText(last_sold_at) },
    ]),
  );
}

async function describeBooks(db: Db, found: readonly { id: string }[]): Promise<DeskBook[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = await db
    .selectFrom('books')
    .leftJoin('customers', (join) =>
      join.onRef('customers.id', '=', 'books.removed_by').on('customers.erased_at', 'is', null),
    )
    .select([...stockColumns, ...allColumns])
    .select(['added_at', 'removed_by', 'version', 'customers.email', 'front_table_at'])
    .where('books.id', 'in', ids)
    .execute();
  const byId = new Map((await withCopies(db, rows)).map((row) => [row.id, row]));
  const sales = await findSales(db, ids);
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
      // The column keeps its value when the book is restored.
      removedBy: removedAt === null ? null : removerOf(removed_by, email),
      version,
      ...(row.front_table_at === null ? {} : { onFrontTable: true as const }),
      ...(sales.get(id) ?? noSales),
    };
  });
}

function removerOf(removedBy: string | null, email: string | null): DeskBook['removedBy'] {
  if (removedBy?.startsWith(':')) return { token: removedBy.slice(1) };
  return email === null ? null : { email };
}
