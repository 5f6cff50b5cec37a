/** Books that have a number of copies: each copy is sold once. */

import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { giveCopyBack } from '../catalogue/copies.ts';
import { editBook } from '../catalogue/edit-book.ts';
import type { Db } from '../database/tables.ts';
import { canWaitingHelp } from '../database/unavailable.ts';
import { Problem } from '../http/problems.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { customerIdOf } from '../testing/orders.ts';
import { plansOf } from '../testing/plans.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { emma, reader, setUpTestStore } from '../testing/test-store.ts';
import { insertion } from './insert-orders.ts';
import type { StoredOrder } from './orders.ts';
import { placeOrder } from './place-order.ts';

const store = setUpTestStore({ settings: { hasRateLimits: false } });
const request = { ...emma, time: new Date().toDateString() };
let customer: Customer;
beforeEach(async () => {
  await store.signIn();
  customer = { ...reader, id: await customerIdOf(store.database.db), adminClaim: null };
});

const add = (details: Partial<BookDetails> = {}) => addBook(store.database.db, { ...emma, ...details }, null);
const giveBack = (order: StoredOrder) =>
  store.database.db.transaction().execute((db) => giveCopyBack(db, { ...order, customerId: customer.id }));

const countOrders = async (db: Db) => (await db.selectFrom('orders').select('id').execute()).length;
/** @returns how many copies can be sold, and how many orders hold a copy. */
const countCopies = async (db: Db) => {
  const { left } = await db.selectFrom('stock').select('left').executeTakeFirstOrThrow();
  return {
    free: left,
    sold: (await db.selectFrom('orders').select('id').where('has_copy', '=', 1).execute()).length,
  };
};

test.each([20, 64])(
  'of 64 buyers on two nodes, and each twice at once, as many get an order as there are copies: %i',
  async (copies) => {
    const { db } = store.database;
    const other = await store.openDatabaseAgain();
    await add({ copies });
    /** Buys, and tries again as a browser does if the store is too busy. @returns the order's id, or the code of a refusal. */
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
    // A repeated key is recognised first, so it takes no copy.
    const again = await Promise.all(Array.from({ length: 64 }, (_, buyer) => buy(buyer, db)));
    expect(again).toEqual(results.filter((_, index) => index % 2 === 0));
    expect(await countOrders(db)).toBe(copies);
  },
);

test('an order does not read the whole catalogue, or all sessions', async () => {
  const { db } = store.database;
  for (const title of ['Emma', 'Persuasion']) await add({ title });
  // For a small catalogue, both engines would rather read whole tables.
  await sql`analyze`.execute(db);

  const [plan] = await plansOf(db, [insertion(db, []).compile(db)]);

  expect(plan).not.toMatch(
    isOnPostgres() ? /seq scan on (books|sessions|customers)/i : /scan (books|sessions|customers)/i,
  );
});

test('a copy comes back once, and to no more than a book may have', async () => {
  const { db } = store.database;
  const { id } = await add({ copies: 2 });
  const order = () => placeOrder(db, customer, request);
  const [first, second] = [await order(), await order()];

  expect([await giveBack(first), await giveBack(first)]).toEqual([true, false]);
  await editBook(db, id, { copies: 9_999 }, { actor: commandActor, isExpected: () => true });
  expect(await giveBack(second)).toBe(false);

  expect(await countCopies(db)).toEqual({ free: 9_999, sold: 0 });
});
