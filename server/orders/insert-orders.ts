/** The statements that insert orders, of several buyers at once, each with its copy where the book has a number of them. */

import { type AliasedExpression, type Selection, type SqlBool, sql } from 'kysely';
import { countStocks, manyCopies, stockColumns, updateShelf } from '../catalogue/copies.ts';
import { batchedQuery, batchedWork } from '../database/batched-query.ts';
import { BoundedMap } from '../database/bounded-map.ts';
import { engineOf, type ItemOf, type ItemTable } from '../database/engine.ts';
import type { Db, Tables } from '../database/tables.ts';
import { recordMessages, type Senders } from '../outbox/record.ts';

/**
 * The columns of a new order with their types in the batch, except the book's id, which comes from the catalogue; and `wanted_book_id`,
 * which is no column: the id that the request names, if it names one.
 */
export const requestColumns = {
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
  wanted_book_id: 'text',
} as const satisfies Record<NewOrderColumn | 'wanted_book_id', 'text' | 'bigint'>;
type NewOrderColumn = Exclude<
  keyof Tables['orders'],
  | 'book_id'
  | 'sent_at'
  | 'address_corrected_at'
  | 'withdrawn_at'
  | 'withdrawn_by'
  | 'withdrawal_reason'
  | 'refunded_at'
  | 'returned_at'
  | 'note'
>;
/** The values of an order to insert, except the book's id. */
export type NewOrder = ItemOf<typeof requestColumns>;
// The cast: `Object.keys` types the names as string.
const requestColumnNames = Object.keys(requestColumns).filter(
  (name) => name !== 'wanted_book_id',
) as NewOrderColumn[];

/**
 * The book on the shelf with the title, author and price of an item that has the id which the item names, or else the newest. Two
 * editions may share title and author: the one at the posted price is the one that the buyer saw.
 */
const newestOfItem = sql`
  from books as wanted
  where wanted.title = item.title and wanted.author = item.author and wanted.price_cents = item.price_cents
    and wanted.removed_at is null and (item.wanted_book_id is null or wanted.id = item.wanted_book_id)
  order by wanted.seq desc limit 1
`;
const isWanted = sql<SqlBool>`books.seq = (select wanted.seq ${newestOfItem})`;

/**
 * The buyer of an item, unless erased. An erasure waits for orders that hold the row, and erases them; orders that come later wait for its
 * mark, and are not inserted. The foreign key takes the same lock, but after a statement has looked at its customers.
 */
const buyerOf = (db: Db) =>
  engineOf(db).locksRows
    ? sql`lateral (
        select from customers where customers.id = item.customer_id and erased_at is null for key share
      ) as buyer`
    : sql`customers as buyer on buyer.id = item.customer_id and buyer.erased_at is null`;

/**
 * Items with the book of each. Neither engine may read the whole catalogue for it, as PostgreSQL does for the condition while there are
 * few thousand books. SQLite has no `lateral`, and reads the tables of a cross join in their order.
 */
const withBooks = (db: Db, items: ItemTable<typeof requestColumns>) => {
  const books = engineOf(db).locksRows
    ? sql`lateral (select wanted.* ${newestOfItem}) as books`
    : sql`books where ${isWanted}`;
  return sql<NewOrder & { book_id: string; copies_left: number | null }>`(
    select item.*, books.id as book_id, books.copies_left from ${items} cross join ${buyerOf(db)} cross join ${books}
  )`.as('item');
};

/** The columns of an inserted order that are read back. Its request says the others. */
const placedColumns = ['id', 'book_id as bookId'] as const;
type Placed = Selection<Tables, 'orders', (typeof placedColumns)[number]>;

const itemColumns = requestColumnNames.map((name) => `item.${name}` as const);
const insertedColumns = [...requestColumnNames, 'book_id'] as const;

/**
 * Inserts the orders of items whose book is one of which any number can be sold, unless its key has an order.
 */
export const insertUnlimited = (db: Db, items: ItemTable<typeof requestColumns>) =>
  db
    .insertInto('orders')
    .columns(insertedColumns)
    .expression(
      db
        .selectFrom(withBooks(db, items))
        .select([...itemColumns, 'item.book_id'])
        .where('item.copies_left', 'is', null)
        // In the same order on every node: otherwise two nodes that insert the same keys could deadlock.
        .orderBy('item.customer_id')
        .orderBy('item.idempotency_key'),
    )
    .onConflict((conflict) => conflict.columns(['customer_id', 'idempotency_key']).doNothing())
    .returning(placedColumns);

/**
 * Inserts orders with a copy each, as far as there are copies. On SQLite a trigger writes the orders into the copies (migration
 * 0019). On PostgreSQL the statement passes over copies that another order is about to take, and locks `manyCopies` more than it
 * takes: so many are left, whatever others take meanwhile, and the row of the book need not change.
 * @param isLast the books are locked: the orders may take all of their copies, and wait for those that another order is about to
 * take.
 */
const insertWithCopies = (
  db: Db,
  items: AliasedExpression<NewOrder & { book_id: string | null }, 'item'>,
  { isLast }: { isLast: boolean },
) => {
  const { locksRows } = engineOf(db);
  const left = sql.lit(isLast ? 0 : manyCopies);
  // A limit on SQLite may not be a column.
  const buyers = locksRows ? sql`book.buyers` : sql`(select max(buyers) from wanted)`;
  const lock = locksRows ? (isLast ? sql`for update` : sql`for update skip locked`) : sql``;
  const free = sql`
    (select id from copies where book_id = book.book_id and order_id is null order by id limit ${buyers} + ${sql.lit(manyCopies)} ${lock}) as copy
  `;
  // By book: the ids of the locked copies, or on SQLite their number.
  const [copies, count, taken] = locksRows
    ? [sql`array_agg(copy.id)`, sql`cardinality(free.copies)`, sql`free.copies[wanted.place]`]
    : [sql`count(*)`, sql`free.copies`, sql`null`];
  const withChosen = db
    .with(
      (cte) => cte('wanted').materialized(),
      () => sql<object>`(
        select item.*,
          cast(row_number() over (partition by item.book_id order by item.customer_id, item.idempotency_key) as int) as place,
          count(*) over (partition by item.book_id) as buyers
        from ${items}
      )`,
    )
    .with(
      (cte) => cte('free').materialized(),
      () => sql<object>`(
        select book.book_id, (select ${copies} from ${free}) as copies
        from (select distinct book_id, buyers from wanted) as book
      )`,
    )
    .with(
      (cte) => cte('item').materialized(),
      () => sql<NewOrder & { book_id: string; copy_id: number }>`(
        select wanted.*, ${taken} as copy_id from wanted join free on free.book_id = wanted.book_id
        where wanted.place + ${left} <= ${count}
      )`,
    );
  const insert = (db: typeof withChosen) =>
    db
      .insertInto('orders')
      .columns(insertedColumns)
      .expression((db) =>
        db
          .selectFrom('item')
          .select([...itemColumns, 'item.book_id'])
          .where(sql.lit(true))
          .orderBy('item.customer_id')
          .orderBy('item.idempotency_key'),
      )
      .onConflict((conflict) => conflict.columns(['customer_id', 'idempotency_key']).doNothing())
      .returning(placedColumns);
  if (!locksRows) return insert(withChosen);
  return withChosen
    .with('placed', (db) => insert(db))
    .with('taken', (db) =>
      db
        .updateTable('copies')
        .set((copies) => ({
          order_id: copies
            .selectFrom('item')
            .select('item.id')
            .whereRef('item.copy_id', '=', 'copies.id')
            .limit(1),
        }))
        // An array, and not a join: the planner would expect so many rows that it read the whole table.
        .where(
          sql<SqlBool>`copies.id = any(array(
            select item.copy_id from item join placed on placed.id = item.id
          ))`,
        ),
    )
    .selectFrom('placed')
    .selectAll();
};

/** Inserts the orders of items whose book has many copies, with a copy each. */
export const insertOfMany = (db: Db, items: ItemTable<typeof requestColumns>) =>
  insertWithCopies(
    db,
    db.selectFrom(withBooks(db, items)).selectAll().where('item.copies_left', '=', manyCopies).as('item'),
    { isLast: false },
  );

type PlacedById = ReadonlyMap<string, Placed>;
const byId = (orders: readonly Placed[]): PlacedById => new Map(orders.map((order) => [order.id, order]));

/** An order, and who tells of it. */
type ToldOrder = NewOrder & { senders: Senders };

const recordPlaced = (db: Db, orders: readonly ToldOrder[], placed: PlacedById): Promise<void> =>
  recordMessages(
    db,
    'placed',
    orders.flatMap(({ id, placed_at: at, senders }) =>
      id !== null && at !== null && placed.has(id) ? [{ id, at, senders }] : [],
    ),
  );

type BuildInsert = typeof insertUnlimited | typeof insertOfMany;

/** Inserts the orders of a statement in a transaction with their messages. Simultaneous orders share it. */
const withMessages = (build: BuildInsert) =>
  batchedWork((db, orders: readonly ToldOrder[]) =>
    db.transaction().execute(async (db) => {
      const items = engineOf(db).itemTable(JSON.stringify(orders), requestColumns);
      const placed = byId(await build(db, items).execute());
      await recordPlaced(db, orders, placed);
      return orders.map(({ id }) => placed.get(id ?? ''));
    }),
  );

/** Inserts the orders of a statement, which simultaneous orders share. */
const withoutMessages = (build: BuildInsert) =>
  batchedQuery({
    columns: requestColumns,
    key: 'id',
    build: (db, items) => build(db, items),
  });

/** The books of items that have a number of copies, locked. */
const lockWanted = (db: Db, items: ItemTable<typeof requestColumns>) =>
  engineOf(db).lockedInOrder(
    db
      .selectFrom(items)
      .crossJoin('books')
      .where(isWanted)
      .select(['item.id as orderId', ...stockColumns])
      // These conditions hold for the locked row, which another transaction may have changed before.
      .whereRef('books.title', '=', 'item.title')
      .whereRef('books.author', '=', 'item.author')
      .whereRef('books.price_cents', '=', 'item.price_cents')
      .where('books.removed_at', 'is', null)
      .where('books.copies_left', 'is not', null)
      .orderBy('books.id'),
  );

/**
 * Inserts orders of books with few copies, or fewer than buyers. The rows of the books are locked, so that the numbers which the
 * shop shows are right.
 */
const insertOfFew = batchedWork((db, orders: readonly ToldOrder[]) =>
  db.transaction().execute(async (db) => {
    const items = engineOf(db).itemTable(JSON.stringify(orders), requestColumns);
    const wanted = await lockWanted(db, items).execute();
    if (wanted.length === 0) return [];
    const books = new Map(wanted.map(({ orderId, ...book }) => [book.id, book]));
    const bookIds = new Map(wanted.map(({ orderId, id }) => [orderId, id]));
    const ofBooks = orders.flatMap((order) => {
      const book_id = bookIds.get(order.id ?? '');
      return book_id === undefined ? [] : { ...order, book_id };
    });
    const locked = engineOf(db).itemTable(JSON.stringify(ofBooks), { ...requestColumns, book_id: 'text' });
    const ofBuyers = sql<NewOrder & { book_id: string | null }>`(
      select item.* from ${locked} cross join ${buyerOf(db)}
    )`.as('item');
    const placed = byId(await insertWithCopies(db, ofBuyers, { isLast: true }).execute());
    await recordPlaced(db, ofBooks, placed);
    const isShelfChanged = await updateShelf(db, await countStocks(db, [...books.values()]));
    return orders.map(({ id }) => {
      const order = placed.get(id ?? '');
      return order && { ...order, isShelfChanged };
    });
  }),
);

const waysOf = <Way>(insert: (build: BuildInsert) => Way) => ({
  unlimited: insert(insertUnlimited),
  ofMany: insert(insertOfMany),
});

/**
 * The ways in which an order is inserted, with messages for the outbox and without. Simultaneous orders share a statement, and so one
 * commit; without messages no transaction stays open between two round trips.
 */
const ways = { withMessages: waysOf(withMessages), withoutMessages: waysOf(withoutMessages) };
const waysFor = ({ senders }: ToldOrder) =>
  senders.mail || senders.webhooks ? ways.withMessages : ways.withoutMessages;

/** The books, by their ids or by title and author, whose last order took one of many copies. The next order of each tries that first. */
const namesOfMany = new BoundedMap<string, true>({ maxEntries: 1_000 });

const nameOf = ({ title, author, wanted_book_id: id }: NewOrder): string => id ?? `${title}\n${author}`;

/** An inserted order: the id of its book, and whether a page of the shop is another one now. */
type Inserted = { bookId: string; isShelfChanged: boolean };

/**
 * Inserts an order, with a copy of its book where that has a number of them.
 * @returns undefined if its key has an order, or there is no such book.
 */
export async function insertOrder(db: Db, order: ToldOrder): Promise<Inserted | undefined> {
  const { unlimited, ofMany } = waysFor(order);
  const name = nameOf(order);
  const isOfMany = namesOfMany.has(name);
  const [first, second] = isOfMany ? [ofMany, unlimited] : [unlimited, ofMany];
  const placed = await first(db, order);
  if (placed) return { ...placed, isShelfChanged: false };
  const other = await second(db, order);
  if (isOfMany) namesOfMany.delete(name);
  else if (other) namesOfMany.set(name, true);
  return other ? { ...other, isShelfChanged: false } : await insertOfFew(db, order);
}
