import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Order } from '../../contract/order.ts';
import { addBook } from '../catalogue/books.ts';
import { readJson, shareTestStore } from '../testing/test-store.ts';

const store = shareTestStore();
beforeAll(async () => {
  const { db } = store.database;
  // The steps of docs/scaling.md, which keep the existing orders.
  await sql.raw('alter table orders rename to orders_whole').execute(db);
  await sql
    .raw('create table orders (like orders_whole including all) partition by hash (customer_id)')
    .execute(db);
  for (let remainder = 0; remainder < 8; remainder += 1) {
    await sql
      .raw(
        `create table orders_${remainder} partition of orders for values with (modulus 8, remainder ${remainder})`,
      )
      .execute(db);
  }
  await sql.raw('insert into orders select * from orders_whole').execute(db);
  await sql.raw('drop table orders_whole').execute(db);
  await addBook(db, { title: 'Emma', author: 'Jane Austen', image: '/images/emma', priceCents: 1299 }, null);
});

const readers = Array.from({ length: 12 }, (_, index) => `reader-${index}`);
const emailOf = (sub: string) => `${sub}@example.com`;

test('in a table partitioned by customer, orders are placed once per key and read from one partition', async () => {
  const cookies = await Promise.all(readers.map((sub) => store.signIn({ sub, email: emailOf(sub) })));
  const order = (cookie: string, key: string) =>
    store.call('/addOrder', {
      cookie,
      headers: { 'idempotency-key': key },
      json: { title: 'Emma', author: 'Jane Austen', price: 12.99, time: new Date().toDateString() },
    });

  // Every key twice and all at once: the statement that they share writes to many partitions.
  const statuses = await Promise.all(
    cookies.flatMap((cookie) =>
      ['one', 'two', 'one', 'two'].map(async (key) => (await order(cookie, key)).status),
    ),
  );

  expect(new Set(statuses)).toEqual(new Set([201]));
  for (const [index, sub] of readers.entries()) {
    const cookie = cookies[index] ?? '';
    const orders = await readJson<Order[]>(await store.call(`/allOrder/${emailOf(sub)}`, { cookie }));
    expect(orders).toHaveLength(2);
  }
  const { rows } = await sql<{ partition: string; 'QUERY PLAN': string }>`
    explain select id from orders where customer_id = 'some-id' order by id desc limit 201
  `.execute(store.database.db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan.match(/on orders_\d/g)).toHaveLength(1);
});
