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

export async function claimDue<Kind extends Row['kind']>(
  db: Db,
  sender: SenderName,
  { now, claimMs, limit }: { now: number; claimMs: number; limit: number },
): Promise<Claimed<Kind>[]> {
  const claimedUntil = now + claimMs;
  const claimed = await db
    .with('due', (query) =>
      query
        .selectFrom('outbox')
        .select('id')
        .where('sender', '=', sender)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .$if(engineOf(db).locksRows, (messages) => messages.forUpdate().skipLocked()),
    )
    .updateTable('outbox')
    .set({ due_at: claimedUntil })
    .where('sender', '=', sender)
    .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('id'))
    .returning(['id', 'kind', 'order_id as orderId', 'created_at as createdAt', 'attempts'])
    .execute();
  // A sender has the kinds of messages that record.ts gives it.
  return claimed.map((message) => ({ ...message, sender, kind: message.kind as Kind, claimedUntil }));
}

type Changes = Pick<Row, 'due_at'> & Partial<Pick<Row, 'error' | 'done_at'> & { attempts: number }>;

/** Stores the result of an attempt, unless its claim is over: then another node has the message, or it was removed. */
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

/** Makes given-up and kept-back messages due. Waiting ones stay: a node may be sending them. @returns whether there were any. */
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

/** Counts due messages, without receipts that wait for their turn, because these are no fault. */
export async function countDue(db: Db, sender: SenderName): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('sender', '=', sender)
    .where('due_at', 'is not', null)
    .where('error', 'is distinct from', receiptLimitReached)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How long a message is kept. Given-up mail is kept for ever. */
export const keptMs = 30 * dayMs;

export async function sweepOutbox(db: Db, now = Date.now()): Promise<void> {
  for (const sender of ['mail', 'webhooks'] as const) {
    const old = db
      .selectFrom('outbox')
      .select('id')
      .where('sender', '=', sender)
      .where('id', '<', firstIdAt(now - keptMs))
      .where('due_at', 'is', null)
      .$if(sender === 'mail', (mail) => mail.where('error', 'is', null))
      .limit(sweepBatchSize);
    await deleteInBatches(db.deleteFrom('outbox').where('sender', '=', sender).where('id', 'in', old));
  }
}
