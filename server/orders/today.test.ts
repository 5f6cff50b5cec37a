import { beforeEach, expect, test } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { OrderCounts, Today } from '../../contract/desk/today.ts';
import { addBook } from '../catalogue/books.ts';
import { recordBackup } from '../database/last-backup.ts';
import { recordMessages } from '../outbox/record.ts';
import { about, shopOf } from '../testing/acts.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { emma, readJson, setUpTestStore } from '../testing/test-store.ts';
import { settleOrder, withdrawForShop } from './acts/change-order.ts';
import { findToday } from './today.ts';

const admin = { sub: 'ada', email: 'ada@example.com' };
const store = setUpTestStore({ settings: { adminEmails: [admin.email], timeZone: 'Europe/Berlin' } });
let cookie: string;
let customerId: string;
beforeEach(async () => {
  cookie = await store.signIn(admin);
  await store.signIn();
  customerId = await customerIdOf(store.database.db);
});

const day = 24 * 60 * 60 * 1000;

test('today has what waits, this week in the zone, the same days of the last one, and the last ten orders', async () => {
  const { db } = store.database;
  // This is a Monday, 00:30 in Berlin.
  const now = Date.parse('2026-03-08T23:30:00Z');
  await addOrders(db, customerId, [
    ...Array.from({ length: 9 }, () => ({ at: now - 20 * day, sentAt: now })),
    { at: now - 7 * day - 60 * 60 * 1000, priceCents: 1 },
    { at: now - 7 * day, priceCents: 20 },
    { at: now - 60 * 60 * 1000, priceCents: 300 },
    { at: now, priceCents: 4000, title: 'The last' },
  ]);
  const [waiting, , failed] = await db.selectFrom('orders').select('id').orderBy('id').execute();
  for (const { id = '' } of [waiting ?? {}, failed ?? {}])
    await recordMessages(db, 'placed', [{ id, at: now, senders: { mail: true, webhooks: true } }]);
  const isOfFailed = db.updateTable('outbox').where('order_id', '=', failed?.id ?? '');
  await isOfFailed.set({ due_at: null, error: 'no' }).execute();
  await addBook(db, { ...emma, image: `/images/${'0'.repeat(32)}.webp` }, null);
  await addBook(db, { ...emma, title: 'Sold out' }, null);
  await db
    .updateTable('books')
    .set({ sold_out_at: 1, removed_at: 1 })
    .where('title', '=', 'Sold out')
    .execute();

  const today = await findToday(store.database, { zone: 'Europe/Berlin', sendsMail: true, now });

  expect(today).toMatchObject({
    toSend: 4,
    failedMail: 1,
    store: { waitingMail: 2 },
    soldOut: 1,
    withoutPicture: 1,
    lastWeek: { from: '2026-03-02', to: '2026-03-02', orders: 1, revenue: 0.2 },
    thisWeek: { from: '2026-03-09', to: '2026-03-09', orders: 1, revenue: 40 },
  });
  expect(today.orders).toHaveLength(10);
  expect(today.orders[0]).toMatchObject({ title: 'The last' });
  const withoutMail = await findToday(store.database, { zone: 'UTC', sendsMail: false, now });
  expect(withoutMail).toMatchObject({ failedMail: 0, store: { waitingMail: 0 } });
  const missing = await readJson<{ title: string }[]>(
    await store.call(`${deskPaths.books}?state=without-picture`, { cookie }),
  );
  expect(missing.map(({ title }) => title)).toEqual(['Emma']);
});

test('the orders of each state are counted, up to a thousand, and between days of the zone', async () => {
  const { db } = store.database;
  const evening = Date.parse('2026-03-08T23:30:00Z');
  const [first = '', second = ''] = await addOrders(db, customerId, [
    { at: evening - 60 * 60 * 1000 },
    { at: evening, sentAt: evening },
    { at: evening },
    { at: evening, deliveryAddress: '1 Hartfield Lane' },
    ...Array.from({ length: 1_001 }, () => ({ at: evening, sentAt: evening })),
  ]);
  for (const id of [first, second]) await withdrawForShop.run(shopOf(db), about(id));
  await settleOrder.run(shopOf(db), about(second, { isRefunded: true }));
  const count = async (query: string) =>
    await readJson<OrderCounts>(await store.call(`${deskPaths.orderCounts}${query}`, { cookie }));

  expect(await count('')).toEqual({
    ...{ due: 0, new: 2, 'no-address': 1, sent: 1000 },
    ...{ withdrawn: 2, surplus: 0, all: 1000 },
  });
  expect(await count('?to=2026-03-08')).toMatchObject({ new: 0, sent: 0, withdrawn: 1, all: 1 });
  const today = await readJson<Today>(await store.call(deskPaths.today, { cookie }));
  expect(today).toMatchObject({ toSend: 2, toRefund: 1 });
});

test('today has the state of the store: its last backup, its disk and its version', async () => {
  const { db } = store.database;
  const startedAt = Date.parse('2026-03-08T02:00:00Z');
  const stateAt = async (now: number) =>
    (await findToday(store.database, { zone: 'UTC', sendsMail: true, now })).store;

  expect(await stateAt(startedAt)).toMatchObject({ lastBackup: null, isBackupOld: false });
  await recordBackup(db, { startedAt, bytes: 1 });

  const state = await stateAt(startedAt + 2 * day);
  expect(state).toMatchObject({ lastBackup: '2026-03-08T02:00:00.000Z', isBackupOld: false });
  expect(state.version).toMatch(/^\d+\.\d+\.\d+/);
  if (!isOnPostgres()) expect(state.diskFreeBytes).toBeLessThanOrEqual(state.diskBytes ?? 0);
  expect(await stateAt(startedAt + 2 * day + 1)).toMatchObject({ isBackupOld: true });
});
