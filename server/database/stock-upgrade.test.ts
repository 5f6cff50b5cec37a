/** Copies of an older version, a row each: the migration to stock keeps what can be sold, and which orders have a copy to give back. */

import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkCopies } from '../catalogue/check-copies.ts';
import { withdrawForShop } from '../orders/acts/change-order.ts';
import { isOrderNumber } from '../orders/order-number.ts';
import { listSales } from '../orders/sales.ts';
import { about, shopOf } from '../testing/acts.ts';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { createTestDatabase, fileOf, isOnPostgres, setUpTestDatabase } from '../testing/test-database.ts';
import { firstIdAt } from './ids.ts';
import { migrate } from './migrate.ts';
import * as migrations from './migrations/index.ts';
import { openUnlimited } from './open.ts';

const testDatabase = setUpTestDatabase(createTestDatabase);

/** For each book's id: how many copies can be sold, null for any number; and what the shop shows of them. */
const books = { none: [0, 0], few: [2, 2], many: [9, 4], unlimited: [null, null] } as const;

test('each book has as many copies as before, an order gives back the one that it took, and has a number', async () => {
  // A reader of SQLite makes no file.
  if (!isOnPostgres()) await writeFile(fileOf(testDatabase.url), '');
  const db = await openUnlimited(testDatabase.settings);
  endsWithTest(() => db.destroy());
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0028')));
  const insert = async (table: string, row: object) => {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
      db,
    );
  };
  const text = { title: 'Emma', author: 'Jane Austen', image: '', search_text: '', title_sort: '' };
  for (const [id, [copies, copies_left]] of Object.entries(books)) {
    const removed_at = copies === 0 ? 1 : null;
    await insert('books', {
      ...{ id, ...text, price_cents: 1299, added_at: 1, copies_left, removed_at, sold_out_at: removed_at },
    });
    for (let copy = 0; copy < (copies ?? 0); copy += 1) await insert('copies', { book_id: id });
  }
  const person = { issuer: '', sub: 'jane', email: 'jane@example.org', is_email_verified: 1, name: 'Jane' };
  await insert('customers', { id: 'jane', ...person, photo: '', created_at: 1 });
  const now = Date.now();
  const idOf = (name: string) => `${firstIdAt(now)}-${name}`;
  for (const book_id of Object.keys(books)) {
    const snapshot = { book_id, title: 'Emma', author: 'Jane Austen', price_cents: 1299, time: '' };
    const buyer = { customer_id: 'jane', buyer_name: 'Jane', buyer_email: person.email };
    await insert('orders', { id: idOf(book_id), ...snapshot, ...buyer, placed_at: now });
    // SQLite's trigger takes a copy for the order. PostgreSQL has no such trigger, so the test takes it.
    const order_id = idOf(book_id);
    if (isOnPostgres() && book_id !== 'unlimited') await insert('copies', { book_id, order_id });
  }

  await migrate(db, migrations);

  const orders = await db.selectFrom('orders').select(['number', 'currency']).execute();
  expect(new Set(orders.filter(({ number }) => isOrderNumber(number)).map(({ number }) => number)).size).toBe(
    4,
  );
  expect(new Set(orders.map(({ currency }) => currency))).toEqual(new Set(['USD']));
  const stock = async () =>
    Object.fromEntries(
      (await db.selectFrom('stock').selectAll().execute()).map(({ book_id, left }) => [book_id, left]),
    );
  // The trigger has taken one of the copies on the shelf.
  const [few, many] = isOnPostgres() ? [2, 9] : [1, 8];
  expect(await stock()).toEqual({ none: 0, few, many });
  const ofOrders = await db.selectFrom('orders').select(['book_id', 'has_copy']).execute();
  const withCopy = ofOrders.filter(({ has_copy }) => has_copy === 1).map(({ book_id }) => book_id);
  expect(withCopy.sort()).toEqual(isOnPostgres() ? ['few', 'many', 'none'] : ['few', 'many']);

  for (const name of Object.keys(books)) await withdrawForShop.run(shopOf(db), about(idOf(name)));
  expect(await stock()).toEqual({ none: isOnPostgres() ? 1 : 0, few: few + 1, many: many + 1 });
  expect((await checkCopies(db)).faults).toEqual([]);
  expect(await listSales(db, { by: 'month', count: 1 }, { zone: 'UTC', now })).toMatchObject([{ orders: 0 }]);
});
