/** Books that have a number of copies: each copy is sold once. */

import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BookInStock } from '../../contract/book.ts';
import type { BookDetails } from '../../contract/book-fields.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { giveCopyBack } from '../catalogue/copies.ts';
import { editBook } from '../catalogue/edit-book.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { canWaitingHelp } from '../database/unavailable.ts';
import { Problem } from '../http/problems.ts';
import { customerIdOf } from '../testing/orders.ts';
import { plansOf } from '../testing/plans.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { emma, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { columnsWithSession, insertOfMany, insertUnlimited, requestColumns } from './insert-orders.ts';
import { placeOrder } from './place-order.ts';

const store = setUpTestStore({ settings: { hasRateLimits: false } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
});

const add = (details: Partial<BookDetails> = {}) => addBook(store.database.db, { ...emma, ...details }, null);
const order = (over: Record<string, unknown> = {}, key?: string) =>
  store.call('/addOrder', {
    cookie,
    json: { ...orderOf(emma), ...over },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const codeOf = async (response: Response) => (await readJson<ProblemBody>(response, response.status)).code;
const listTitles = async (path = '/books') =>
  (await readJson<{ title: string }[]>(await store.call(path))).map(({ title }) => title);
const find = async (id: string) => readJson<BookInStock>(await store.call(`/book/${id}`));
const placedId = async (response: Response) => (await readJson<{ _id: string }>(response, 201))._id;
const giveBack = (...ids: string[]) => store.database.db.transaction().execute((db) => giveCopyBack(db, ids));

const countOrders = async (db: Db) => (await db.selectFrom('orders').select('id').execute()).length;
/** @returns how many copies can be sold, and how many orders have one. */
const countCopies = async (db: Db) => {
  const copies = await db.selectFrom('copies').select('order_id').execute();
  return {
    free: copies.filter(({ order_id }) => order_id === null).length,
    sold: new Set(copies.map(({ order_id }) => order_id).filter(Boolean)).size,
  };
};

test.each([20, 64])(
  'of 64 buyers on two nodes, and each twice at once, as many get an order as there are copies: %i',
  async (copies) => {
    const { db } = store.database;
    const other = await store.openDatabaseAgain();
    await add({ copies });
    const customer = { ...reader, id: await customerIdOf(db), adminClaim: null };
    const { title, author, priceCents } = emma;
    const request = { title, author, priceCents, time: new Date().toDateString() };
    /** Again, as a browser does, if the store was too busy. @returns the order's id, or the code of a refusal. */
    const buy = async (buyer: number, on: Db): Promise<string> => {
      try {
        return (await placeOrder(on, customer, request, { idempotencyKey: `key ${buyer}` })).id;
      } catch (error) {
        if (error instanceof Problem) return error.code;
        if (!canWaitingHelp(error)) throw error;
        return await buy(buyer, on);
      }
    };

    const results = await Promise.all(
      Array.from({ length: 64 }, (_, buyer) => [buy(buyer, db), buy(buyer, other.db)]).flat(),
    );

    const ids = results.filter((result) => result !== 'SOLD_OUT');
    expect(new Set(ids).size).toBe(copies);
    expect(ids).toHaveLength(2 * copies);
    expect(await countOrders(db)).toBe(copies);
    expect(await countCopies(db)).toEqual({ free: 0, sold: copies });
    // A repeated key is answered first, and takes no copy.
    const again = await Promise.all(Array.from({ length: 64 }, (_, buyer) => buy(buyer, db)));
    expect(again).toEqual(results.filter((_, index) => index % 2 === 0));
    expect(await countOrders(db)).toBe(copies);
  },
);

test.each([
  ['of any number', insertUnlimited],
  ['of many copies', insertOfMany],
])('an order of a book %s does not read the whole catalogue, or all sessions', async (_, build) => {
  const { db } = store.database;
  for (const title of ['Emma', 'Persuasion']) await add({ title, copies: 5 });
  // Statistics of a small catalogue make both engines read all of it where they may.
  await sql`analyze`.execute(db);
  const { itemTable } = engineOf(db);
  const queries = [
    build(db, itemTable('[]', requestColumns)),
    ...(isOnPostgres() ? [build(db, itemTable('[]', columnsWithSession), true)] : []),
  ];

  const plans = await plansOf(
    db,
    queries.map((query) => query.compile()),
  );

  for (const plan of plans) {
    expect(plan).toMatch(isOnPostgres() ? /Index Cond[^}]*item/ : /SEARCH books USING INTEGER PRIMARY KEY/);
    expect(plan).not.toMatch(/scan books|(?<!subquery )scan( using \w+)? on books(?! wanted)/i);
  }
  if (isOnPostgres()) expect(plans[1]).toMatch(/Index Cond[^}]*id_hash = item\.id_hash/);
});

describe('a book without a copy', () => {
  test('is in no list, search or suggestion, says so at its address, and is refused to a late buyer', async () => {
    const { id } = await add({ title: 'Emma', copies: 1 });
    await add({ title: 'Persuasion' });

    expect(await listTitles()).toEqual(['Persuasion', 'Emma']);
    expect(await find(id)).toMatchObject({ copiesLeft: 1 });
    expect((await order()).status).toBe(201);

    expect(await listTitles()).toEqual(['Persuasion']);
    expect(await listTitles('/books?q=emma')).toEqual([]);
    expect((await store.call('/books?q=emmaa')).headers.get('similar-words')).toBeNull();
    expect(await find(id)).toMatchObject({ soldOut: true });
    expect((await find(id)).copiesLeft).toBeUndefined();
    expect(await codeOf(await order())).toBe('SOLD_OUT');
  });

  test('comes back to its place when its order gives the copy back, each once', async () => {
    const { id } = await add({ copies: 1 });
    await add({ title: 'Persuasion' });
    const first = await placedId(await order());

    expect(await giveBack(first)).toBe(true);
    expect(await giveBack(first)).toBe(false);

    expect(await listTitles()).toEqual(['Persuasion', 'Emma']);
    expect(await listTitles('/books?q=emma')).toEqual(['Emma']);
    expect(await find(id)).toMatchObject({ copiesLeft: 1 });
    expect((await order()).status).toBe(201);
    // The copy is another order's now.
    expect(await giveBack(first)).toBe(false);
    expect(await codeOf(await order())).toBe('SOLD_OUT');
  });

  test('comes back to no more than a book may have', async () => {
    const { db } = store.database;
    const { id } = await add({ copies: 1 });
    const first = await placedId(await order());
    await editBook(db, id, { copies: 9_999 }, { actor: commandActor, isExpected: () => true });

    expect(await giveBack(first)).toBe(false);

    expect(await countCopies(db)).toEqual({ free: 9_999, sold: 0 });
  });
});
