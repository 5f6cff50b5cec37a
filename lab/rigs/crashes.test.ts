/** An act of the owner whose process is killed in the middle. */

import { beforeEach, expect, test } from 'vitest';
import type { MarkedOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { listActivity } from '../../server/activity/activity.ts';
import { findCustomersByEmail } from '../../server/customers/customers.ts';
import { firstIdAt } from '../../server/database/ids.ts';
import type { Database } from '../../server/database/open.ts';
import { newOrderNumber } from '../../server/orders/order-number.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import { externalProvider, startStore } from '../../server/testing/server-process.ts';
import { setUpTestDatabase } from '../../server/testing/test-database.ts';
import { reader } from '../../server/testing/test-store.ts';

const admin = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };

const testDatabase = setUpTestDatabase();
let database: Database;
let headers: Record<string, string>;
beforeEach(async () => {
  database = await testDatabase.open();
  const { sessionId } = await signIn(admin);
  headers = {
    cookie: `${sessionCookieName({ isSecure: false })}=${sessionId}`,
    'content-type': 'application/json',
  };
});

const signIn = (identity: Partial<typeof reader>) =>
  startSession(database.db, { ...reader, ...identity }, { providerIssuer: externalProvider.OIDC_ISSUER });
const start = () =>
  startStore({ ...externalProvider, DATABASE_URL: testDatabase.url, ADMIN_EMAILS: admin.email });
const entriesOf = async (name: string) =>
  (await listActivity(database.db, { limit: 200 })).entries.filter(({ action }) => action === name);

/** Adds orders of a customer. @returns their ids. */
async function place(buyer: typeof reader & { customerId: string }, count: number): Promise<string[]> {
  const now = Date.now();
  const orders = Array.from({ length: count }, (_, index) => ({
    customer_id: buyer.customerId,
    id: `${firstIdAt(now - index)}-7000-8000-000000000000`,
    number: newOrderNumber(),
    book_id: 'b1',
    title: 'Emma',
    author: 'Jane Austen',
    price_cents: 1299,
    time: new Date().toDateString(),
    buyer_name: buyer.name,
    buyer_email: buyer.email,
    placed_at: now - index,
  }));
  for (let from = 0; from < count; from += 500) {
    await database.db
      .insertInto('orders')
      .values(orders.slice(from, from + 500))
      .execute();
  }
  return orders.map(({ id }) => id);
}

test('an erasure is finished by the next start when the process dies in the middle', {
  timeout: 120_000,
}, async () => {
  const person = { ...reader, sub: 'zdenka-4711', email: 'zdenka@example.com', name: 'Zdenka Unmistakable' };
  const traces = /zdenka|unmistakable/i;
  const { customerId } = await signIn(person);
  await place({ ...person, customerId }, 30_000);
  const named = async () => {
    const { count } = await database.db
      .selectFrom('orders')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('buyer_email', '!=', '')
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const first = await start();
  const erasing = fetch(first.origin + deskPaths.customerErase(customerId), {
    method: 'POST',
    headers: { cookie: headers['cookie'] ?? '' },
  }).catch(() => 'the process died');
  await expect.poll(named, { interval: 1 }).toBeLessThan(30_000);
  await first.kill();

  expect(await erasing).toBe('the process died');
  expect(await named()).toBeGreaterThan(0);
  // The customer is still found, so that the erasure can be repeated.
  const found = () => findCustomersByEmail(database.db, person.email);
  expect(await found()).toHaveLength(1);
  const second = await start();
  await expect.poll(found, { timeout: 30_000 }).toEqual([]);
  await second.stop();

  expect(JSON.stringify(await database.db.selectFrom('customers').selectAll().execute())).not.toMatch(traces);
  // All rows at once would not fit into the memory of the database's thread.
  for (let read = 0; read < 30_000; read += 5_000) {
    const orders = database.db.selectFrom('orders').selectAll().orderBy('id').offset(read).limit(5_000);
    expect(JSON.stringify(await orders.execute())).not.toMatch(traces);
  }
  expect(await entriesOf('customer-erased')).toHaveLength(1);
  expect(first.stdout() + second.stdout()).not.toMatch(traces);
});

test('orders are marked as a whole or not at all when the process dies', { timeout: 60_000 }, async () => {
  const ids = await place({ ...reader, ...(await signIn({})) }, 4_000);
  const store = await start();
  const confirmed: string[] = [];
  const marking = (async () => {
    for (let from = 0; from < ids.length; from += 100) {
      const body = JSON.stringify({ ids: ids.slice(from, from + 100), isSent: true });
      const response = await fetch(store.origin + deskPaths.ordersSent, { method: 'POST', headers, body });
      confirmed.push(...((await response.json()) as MarkedOrder[]).map(({ _id }) => _id));
    }
  })().catch(() => 'the process died');
  await expect.poll(() => confirmed.length, { interval: 1 }).toBeGreaterThan(300);
  await store.kill();
  expect(await marking).toBe('the process died');

  const rows = await database.db.selectFrom('orders').select('id').where('sent_at', 'is not', null).execute();
  const sent = new Set(rows.map(({ id }) => id));
  expect(confirmed.filter((id) => !sent.has(id))).toEqual([]);
  expect(sent.size % 100).toBe(0);
  expect(await entriesOf('orders-marked')).toHaveLength(sent.size / 100);
});
