import { expect, test } from 'vitest';
import { changeClaimed, claimDueMail } from '../mail/outbox.ts';
import { takeReceiptSlot } from '../mail/receipt-slots.ts';
import { addDueOrders } from '../testing/due-orders.ts';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { claimDueEvents, recordAttempt } from '../webhooks/events.ts';

const database = setUpSharedDatabase();
const ids = Array.from({ length: 30 }, (_, index) => String(index).padStart(2, '0'));
const claimMs = 60_000;

const kinds = {
  mail: [claimDueMail, changeClaimed, { mail_due_at: null }],
  webhook: [claimDueEvents, recordAttempt, { due_at: null }],
} as const;

test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'a %s is claimed by one of several nodes, and by another one when its claim is over, of which the first changes nothing',
  async (kind) => {
    const now = Date.now();
    const nodes = [database.db, (await database.openAgain()).db];
    await addDueOrders(database.db, ids, now);
    // TypeScript knows no function of which the claim and its change belong together.
    const [claimDue, change, done] = kinds[kind] as unknown as (typeof kinds)['webhook'];
    const claim = async (at: number, db = database.db) => await claimDue(db, { now: at, claimMs, limit: 10 });

    const claimed = await Promise.all(nodes.flatMap((db) => [claim(now, db), claim(now, db)]));
    expect(new Set(claimed.flat().map(({ id }) => id)).size).toBe(claimed.flat().length);
    while ((await claim(now)).length > 0) {}
    expect(await claim(now + claimMs - 1)).toEqual([]);

    const later = now + claimMs;
    const again = [...(await claim(later)), ...(await claim(later)), ...(await claim(later))];
    expect(again.map(({ id }) => id).sort()).toEqual(ids);
    for (const lost of claimed.flat()) await change(database.db, lost, done);
    expect(await claim(later + claimMs)).toHaveLength(10);
    for (const held of again) await change(database.db, held, done);
    expect(await claim(later + 2 * claimMs)).toHaveLength(10);
  },
);

test('receipts that ask at the same time share the ten slots of their address, however its domain is written', async () => {
  const domains = [
    'gmäil.example',
    'GMÄIL.example',
    'xn--gmil-moa.example',
    'gmäil。example',
    'ｇmäil．example.',
  ];

  const taken = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      takeReceiptSlot(database.db, { address: `bob@${domains[index % 5]}`, isVerified: true }, 5_000),
    ),
  );

  expect(taken.filter((slot) => typeof slot !== 'number')).toHaveLength(10);
  expect(taken).toContain(3_605_000);
});
