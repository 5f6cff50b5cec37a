import { expect, test } from 'vitest';
import { turnOfReceipt } from '../mail/mail.ts';
import { addDueOrders } from '../testing/due-orders.ts';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { receiptLimitReached } from './delivery-error.ts';
import { claimDue, release } from './due.ts';

const database = setUpSharedDatabase();
const ids = Array.from({ length: 30 }, (_, index) => String(index).padStart(2, '0'));
const claimMs = 60_000;

test('a message is claimed by one of several nodes, and by another one when its claim is over, of which the first changes nothing; mail and webhooks apart', async () => {
  const now = Date.now();
  const nodes = [database.db, (await database.openAgain()).db];
  await addDueOrders(database.db, ids, now);
  const claim = async (at: number, db = database.db) =>
    await claimDue(db, 'webhooks', { now: at, claimMs, limit: 10 });

  const claimed = await Promise.all(nodes.flatMap((db) => [claim(now, db), claim(now, db)]));
  expect(new Set(claimed.flat().map(({ id }) => id)).size).toBe(claimed.flat().length);
  while ((await claim(now)).length > 0) {}
  expect(await claim(now + claimMs - 1)).toEqual([]);

  const later = now + claimMs;
  const again = [...(await claim(later)), ...(await claim(later)), ...(await claim(later))];
  expect(again.map(({ orderId }) => orderId).sort()).toEqual(ids);
  for (const lost of claimed.flat()) await release(database.db, lost, { due_at: null });
  expect(await claim(later + claimMs)).toHaveLength(10);
  for (const held of again) await release(database.db, held, { due_at: null });
  expect(await claim(later + 2 * claimMs)).toHaveLength(10);
  expect(await claimDue(database.db, 'mail', { now, claimMs, limit: 100 })).toHaveLength(2 * ids.length);
});

test('receipts that ask at the same time share the ten of their customer', async () => {
  const nodes = [database.db, (await database.openAgain()).db];
  await addDueOrders(database.db, ids, Date.now());
  const claimed = await claimDue(database.db, 'mail', { now: Date.now(), claimMs, limit: 100 });
  const receipts = claimed.filter(({ kind }) => kind === 'receipt');

  const turns = await Promise.all(
    receipts.map((receipt, index) =>
      turnOfReceipt(nodes[index % 2] ?? database.db, receipt, { customerId: 'jane', isVerified: 1 }),
    ),
  );

  expect(turns.filter((notBefore) => notBefore === undefined)).toHaveLength(10);
});

test('of receipts that have waited for their turn, those that are sent at the same time count too, and each later ten waits an hour more', async () => {
  const { db } = database;
  const now = Date.now();
  const hourMs = 3_600_000;
  await addDueOrders(db, ids, now);
  const receipts = () => db.updateTable('outbox').where('kind', '=', 'receipt');
  await receipts().set({ due_at: now, error: receiptLimitReached }).execute();
  const done = { due_at: null, error: null, done_at: now - 1_000 };
  await receipts().set(done).where('order_id', 'in', ids.slice(0, 9)).execute();
  const claimed = await claimDue(db, 'mail', { now, claimMs, limit: 100 });
  const waiting = claimed.filter(({ kind }) => kind === 'receipt');

  const turns = await Promise.all(
    waiting.map((receipt) => turnOfReceipt(db, receipt, { customerId: 'jane', isVerified: 1 })),
  );

  expect(turns.filter((notBefore) => notBefore === undefined)).toHaveLength(1);
  const inHours = turns.map((notBefore) => notBefore && Math.round((notBefore - now) / hourMs));
  expect(inHours.filter((hours) => hours === 1)).toHaveLength(10);
  expect(inHours.filter((hours) => hours === 2)).toHaveLength(10);
});
