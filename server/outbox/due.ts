/** The messages of the outbox that are due. Several nodes share them: a claim is a time, until which no other node sends a message. */

import { engineOf } from '../database/engine.ts';
import { firstIdAt } from '../database/ids.ts';
import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db, Tables } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { receiptLimitReached } from './delivery-error.ts';
import type { SenderName } from './record.ts';

type Row = Tables['outbox'];

export type Claimed<Kind extends Row['kind'] = Row['kind']> = {
  sender: SenderName;
  id: string;
  kind: Kind;
  orderId: string;
  createdAt: number;
  attempts: number;
  claimedUntil: number;
};

type Claim = { now: number; claimMs: number; limit: number; isNewestFirst?: boolean };

export async function claimDue<Kind extends Row['kind']>(
  db: Db,
  sender: SenderName,
  { now, claimMs, limit, isNewestFirst = false }: Claim,
): Promise<Claimed<Kind>[]> {
  const claimedUntil = now + claimMs;
  const claimed = await db
    .with('due', (query) =>
      query
        .selectFrom('outbox')
        .select('id')
        .where('sender', '=', sender)
        .where('due_at', '<=', now)
        .orderBy('due_at', isNewestFirst ? 'desc' : 'asc')
        .limit(limit)
        .$if(engineOf(db).locksRows, (messages) => messages.forUpdate().skipLocked()),
    )
    .updateTable('outbox')
    .set({ due_at: claimedUntil })
    .where('sender', '=', sender)
    .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('id'))
    .returning(['id', 'kind', 'order_id as orderId', 'created_at as createdAt', 'attempts'])
    .execute();
  return claimed
    .map((message) => ({ ...message, sender, kind: message.kind as Kind, claimedUntil }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

type Changes = Partial<Pick<Row, 'due_at' | 'error' | 'done_at' | 'address_hash'> & { attempts: number }>;

/** Changes nothing if the claim is over: another node has the message, or it was removed. */
export async function release(
  db: Db,
  { sender, id, claimedUntil }: Claimed,
  changes: Changes,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set(changes)
    .where('sender', '=', sender)
    .where('id', '=', id)
    .where('due_at', '=', claimedUntil)
    .execute();
}

/** Those that wait are left alone: a node may be sending them. @returns whether others were given up or kept back. */
export async function sendAgain(
  db: Db,
  sender: SenderName,
  column: 'id' | 'order_id',
  id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ due_at: Date.now() })
    .where('sender', '=', sender)
    .where(column, '=', id)
    .where('due_at', 'is', null)
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Counts orders whose mail is due, or events, now or later; without receipts that wait because of the limit of their address: nothing is
 * wrong with them. Reads the 10,000 that are due first: more would take long.
 */
export async function countDue(db: Db, sender: SenderName): Promise<number> {
  const due = db
    .selectFrom('outbox')
    .select(['id', 'order_id', 'error'])
    .where('sender', '=', sender)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(10_000);
  const { count } = await db
    .selectFrom(due.as('due'))
    .select(({ fn }) =>
      fn
        .count(sender === 'mail' ? 'order_id' : 'id')
        .distinct()
        .as('count'),
    )
    .where(({ or, eb }) => or([eb('error', 'is', null), eb('error', '<>', receiptLimitReached)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Of what was sent; mail that was given up is kept for ever. */
export const keptMs = 30 * dayMs;

export async function sweepOutbox(db: Db, now = Date.now()): Promise<void> {
  for (const sender of ['mail', 'webhooks'] as const) {
    let old = db
      .selectFrom('outbox')
      .select('id')
      .where('sender', '=', sender)
      .where('id', '<', firstIdAt(now - keptMs))
      .where('due_at', 'is', null)
      .limit(sweepBatchSize);
    if (sender === 'mail') old = old.where('error', 'is', null);
    await deleteInBatches(db.deleteFrom('outbox').where('sender', '=', sender).where('id', 'in', old));
  }
}
