/** The two ways to insert an order: orders without a limit of copies share a statement, and an order that takes a copy has its own transaction. */

import { type Selectable, sql } from 'kysely';
import { lockBookToBuy, takeCopy, updateShelf } from '../catalogue/copies.ts';
import { engineOf } from '../database/engine.ts';
import type { Db, Tables } from '../database/tables.ts';
import { recordMessages, type Senders } from '../outbox/record.ts';
import { insertPayments, type JoinedPayment, noPayment, type PaymentTerms } from '../payments/payments.ts';
import { orderColumns, type StoredOrder } from './orders.ts';

/** The columns of a new order with their types in the statement. */
const newColumns = {
  customer_id: 'text',
  id: 'text',
  idempotency_key: 'text',
  request_hash: 'text',
  time: 'text',
  buyer_name: 'text',
  buyer_email: 'text',
  placed_at: 'bigint',
  title: 'text',
  author: 'text',
  price_cents: 'bigint',
  delivery_address: 'text',
  withdrawal_days: 'bigint',
  number: 'text',
  currency: 'text',
  way_id: 'text',
  gift: 'text',
} as const satisfies Partial<Record<keyof Tables['orders'], 'text' | 'bigint'>>;

const columns = {
  ...newColumns,
  wanted_book_id: 'text',
  locked_book_id: 'text',
  session_hash: 'text',
  total_cents: 'bigint',
} as const;

/**
 * `wanted_book_id`: the id in the request, if any. `locked_book_id`: the book whose copy the order takes. `session_hash`: the order is
 * inserted only while this session exists; null for an order without a session. `total_cents`: what the book and its delivery cost
 * according to the request, if it says so.
 */
export type OrderToInsert = Pick<Selectable<Tables['orders']>, keyof typeof newColumns> &
  Record<'wanted_book_id' | 'locked_book_id' | 'session_hash', string | null> & {
    total_cents: number | null;
  };
/** `isShelfChanged`: true if a page of the shop has changed. */
export type Inserted = StoredOrder & { isShelfChanged?: boolean };

const names = sql.raw(Object.keys(newColumns).join(', '));
const delivery = sql.raw('delivery_name, delivery_cents, asks_address, pays_on_collection');
const stored = sql.raw(orderColumns.map((column) => column.replace(/ as (\w+)$/, ' as "$1"')).join(', '));

/**
 * Finds the newest book on the shelf with the title, author and price of the request: of two editions, the one at the requested price is
 * what the buyer saw. The way to get it must be one of the shop's. An erasure waits for orders that have locked their customer, and then
 * erases them. The orders are sorted: otherwise two nodes that insert the same keys could deadlock.
 */
export function insertion(db: Db, orders: readonly OrderToInsert[]) {
  const { itemTable, locksRows } = engineOf(db);
  return sql<Omit<StoredOrder, keyof JoinedPayment>>`
    with wanted as materialized (
      select item.*, coalesce(item.locked_book_id, (
        select case when copies_left is null then books.id end from books
        where books.title = item.title and books.author = item.author and books.price_cents = item.price_cents
          and removed_at is null and (item.wanted_book_id is null or books.id = item.wanted_book_id)
        order by seq desc limit 1
      )) as book_id, ways.name as delivery_name, ways.price_cents as delivery_cents, ways.asks_address,
        ways.pay_on_collection as pays_on_collection
      from ${itemTable(orders, columns)} left join ways on ways.id = item.way_id
    )
    insert into orders (${names}, has_copy, book_id, ${delivery})
    select ${names}, case when locked_book_id is not null then 1 end, book_id, ${delivery} from wanted
    where book_id is not null
      and case when way_id is null then not exists (select 1 from ways) else delivery_cents is not null end
      and (total_cents is null or total_cents = price_cents + coalesce(delivery_cents, 0))
      and customer_id = (
        select customers.id from customers where customers.id = wanted.customer_id and erased_at is null
        ${locksRows ? sql`for key share` : sql``}
      )
      and (session_hash is null or customer_id = (
        select sessions.customer_id from sessions where id_hash = session_hash
      ))
    order by customer_id, idempotency_key
    on conflict do nothing
    returning ${stored}
  `;
}

/**
 * Inserts orders with their payments and messages. @returns undefined in place of an order whose key or number is used, whose session has
 * ended, or whose book is missing or has a limited number of copies, or whose delivery is another one now.
 */
export async function insertOrders(
  db: Db,
  orders: readonly OrderToInsert[],
  senders: Senders,
  terms: PaymentTerms = noPayment,
): Promise<(Inserted | undefined)[]> {
  const insert = async (db: Db) => {
    const { rows } = await insertion(db, orders).execute(db);
    const ids = rows.map(({ id }) => id);
    const paymentOf = await insertPayments(db, ids, terms);
    const inserted = new Map(rows.map((row) => [row.id, { ...row, ...paymentOf(row.id) }]));
    const placed = orders.filter(({ id }) => inserted.has(id));
    const messages = placed.map(({ id, placed_at: at }) => ({ id, at, senders }));
    await recordMessages(db, 'placed', messages);
    return orders.map(({ id }) => inserted.get(id));
  };
  // Without messages and payments this is one statement, and no transaction stays open between two round trips.
  const isAlone = !senders.mail && !senders.webhooks && terms.ways.length === 0;
  return !isAlone && !db.isTransaction ? await db.transaction().execute(insert) : await insert(db);
}

/** Inserts an order that takes a copy of its book. @returns undefined as {@link insertOrders} does. */
export const insertWithCopy = (
  db: Db,
  order: OrderToInsert,
  senders: Senders,
  terms?: PaymentTerms,
): Promise<Inserted | undefined> =>
  db.transaction().execute(async (db) => {
    const { title, author, price_cents, wanted_book_id: id } = order;
    const book = await lockBookToBuy(db, { title, author, price_cents, ...(id !== null && { id }) });
    if (!book) return undefined;
    const [inserted] = await insertOrders(db, [{ ...order, locked_book_id: book.id }], senders, terms);
    if (!inserted) return undefined;
    const left = await takeCopy(db, book.id);
    return { ...inserted, isShelfChanged: await updateShelf(db, [{ book, left }]) };
  });
