/** Tests of customers where SQLite and PostgreSQL could differ: locks, plans, the order of letters. */

import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { placeOrder } from '../orders/place-order.ts';
import { startSession } from '../sign-in/sessions.ts';
import { customerIdOf } from '../testing/orders.ts';
import { plansOf } from '../testing/plans.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { emma, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { block, findCustomers, searchedTexts } from './customers.ts';
import { eraseCustomer } from './erase-customer.ts';

const store = setUpTestStore();
const begin = () => startSession(store.database.db, reader, { providerIssuer: 'http://127.0.0.1:1' });
const persons = async () =>
  await store.database.db.selectFrom('orders').select(['buyer_name', 'buyer_email']).execute();
const erase = (id: string) => eraseCustomer(store.database.db, id, commandActor);

test.each(['block', 'erasure'])(
  'a customer has no session left, however a sign-in and the %s overlap',
  async (what) => {
    const { db } = store.database;
    for (let round = 0; round < 15; round += 1) {
      const { customerId: id } = await begin();
      const signIns = Array.from({ length: 4 }, () => begin().catch((error: unknown) => error));
      const ending = what === 'erasure' ? erase(id) : block(db, id, { isBlocked: true }, commandActor);
      await Promise.all([...signIns, ending]);

      const sessions = db.selectFrom('sessions').select('id_hash').where('customer_id', '=', id);
      expect(await sessions.execute()).toEqual([]);
      if (what === 'block') await block(db, id, { isBlocked: false }, commandActor);
      const customer = db.selectFrom('customers').select(['email', 'name']).where('id', '=', id);
      if (what === 'erasure') expect(await customer.execute()).toEqual([{ email: '', name: '' }]);
    }
  },
);

test.each([null, 1, 100])(
  'an erased customer has no order from a request that was let in before, of a book with %j copies',
  async (copies) => {
    const { db } = store.database;
    const book = await addBook(db, { ...emma, copies }, null);
    const { customerId: id } = await begin();
    await erase(id);

    const request = { ...book, time: new Date().toDateString() };
    await expect(placeOrder(db, { ...reader, id, adminClaim: null }, request)).rejects.toThrow();

    expect(await persons()).toEqual([]);
  },
);

if (isOnPostgres()) {
  const buy = (cookie: string) => store.call(paths.addOrder, { cookie, json: orderOf(emma) });
  /** @returns how many statements of the store's database wait for a lock. */
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(store.database.db);
    return rows[0]?.count;
  };
  /** Signs the reader in, who has bought a book before or not. */
  const enter = async (ordersBefore: number) => {
    const { db } = await store.openDatabaseAgain();
    await addBook(db, emma, null);
    const cookie = await store.signIn();
    for (let order = 0; order < ordersBefore; order += 1) await readJson(await buy(cookie), 201);
    return { db, cookie, id: await customerIdOf(db) };
  };

  test.each([
    ['was looked up before', 1],
    ['is looked up for it', 0],
  ])(
    'an erased customer has no order whose statement the erasure met, of a session that %s',
    async (_, ordersBefore) => {
      const { db, cookie, id } = await enter(ordersBefore);
      await sql`
        create or replace function hold() returns trigger language plpgsql
        as 'begin perform pg_advisory_xact_lock(4711); return new; end'
      `.execute(db);
      await sql`create trigger hold before insert on orders for each row execute function hold()`.execute(db);
      onTestFinished(async () => void (await sql`drop trigger hold on orders`.execute(store.database.db)));
      const holder = await db.startTransaction().execute();
      await sql`select pg_advisory_xact_lock(4711)`.execute(holder);
      const buying = buy(cookie);
      await expect.poll(waiting).toBe(1);

      let isErased = false;
      const erasing = erase(id).then(() => {
        isErased = true;
      });
      await expect.poll(async () => isErased || (await waiting()) === 2).toBe(true);
      await holder.commit().execute();
      await Promise.all([buying, erasing]);

      expect(JSON.stringify(await persons())).not.toContain(reader.name);
    },
  );

  test('an erased customer has no order that began amid the erasure', async () => {
    const { db, cookie, id } = await enter(1);
    const erasure = await db.startTransaction().execute();
    await erasure.selectFrom('customers').select('id').where('id', '=', id).forUpdate().execute();
    const buying = buy(cookie);
    await expect.poll(waiting).toBe(1);

    await erasure.updateTable('customers').set({ erased_at: Date.now() }).where('id', '=', id).execute();
    await erasure.commit().execute();

    expect((await buying).status).toBe(401);
    expect(await persons()).toHaveLength(1);
  });
}

test('a name is found by an index, and an e-mail by letters that a locale sorts elsewhere', async () => {
  const { db } = store.database;
  await store.signIn({ email: 'änne@example.com' });
  const statements = searchedTexts.map((text) =>
    sql`select id from customers where ${text} >= ${'ada'} and ${text} < ${'adb'}`.compile(db),
  );

  const plans = await plansOf(db, statements, ['seqscan']);

  for (const [index, name] of ['customers_email', 'customers_name', 'customers_last_name'].entries())
    expect(plans[index]).toContain(name);
  expect((await findCustomers(db, 'änn')).map(({ email }) => email)).toEqual(['änne@example.com']);
});
