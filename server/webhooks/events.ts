/**
 * The events of orders, for webhooks. The transaction that makes a change records its event, so no change is without its event and
 * no event without a change. An event names the order: the message is made from the order's row (sender.ts).
 */

import { type Selection, sql } from 'kysely';
import type { DeskWebhook, EventType, WebhookState } from '../../contract/desk/webhooks.ts';
import { engineOf } from '../database/engine.ts';
import { firstIdAt, newId } from '../database/ids.ts';
import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db, Tables } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import type { Claim } from '../outbox/worker.ts';

const columns = [
  'id',
  'type',
  'customer_id as customerId',
  'order_id as orderId',
  'created_at as createdAt',
  'due_at as dueAt',
  'attempts',
  'error',
  'delivered_at as deliveredAt',
] as const;
export type WebhookEvent = Selection<Tables, 'webhook_events', (typeof columns)[number]>;

/** An event that one node is sending, until `claimedUntil`. */
export type ClaimedEvent = WebhookEvent & { claimedUntil: number };

/**
 * Records an event of each order.
 * @param db the transaction of the change.
 * @param orders `at`: when it happened, in milliseconds since 1970.
 */
export async function recordEvents(
  db: Db,
  type: EventType,
  orders: readonly { id: string; customerId: string; at: number }[],
): Promise<void> {
  if (orders.length === 0) return;
  await db
    .insertInto('webhook_events')
    .values(
      orders.map(({ id, customerId, at }) => ({
        id: newId(),
        type,
        customer_id: customerId,
        order_id: id,
        created_at: at,
        due_at: at,
      })),
    )
    .execute();
}

/** Removes events that are not sent yet and no longer true. */
export async function withdrawEvents(db: Db, type: EventType, orderIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('webhook_events')
    .where('due_at', 'is not', null)
    .where('type', '=', type)
    .where('order_id', 'in', orderIds)
    .execute();
}

/** Removes the events of an erased customer that were not delivered. */
export async function eraseEvents(db: Db, customerId: string): Promise<void> {
  // Each of the two columns has a small index.
  for (const undelivered of ['due_at', 'error'] as const) {
    await db
      .deleteFrom('webhook_events')
      .where(undelivered, 'is not', null)
      .where('customer_id', '=', customerId)
      .execute();
  }
}

/** Claims events that are due, oldest first, for this node alone. A node that dies loses the claim when its time is over. */
export async function claimDueEvents(
  db: Db,
  { now, claimMs, limit }: Omit<Claim, 'isNewestFirst'>,
): Promise<ClaimedEvent[]> {
  const claimedUntil = now + claimMs;
  const claimed = await db
    .with('due', (query) =>
      query
        .selectFrom('webhook_events')
        .select('id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .$if(engineOf(db).locksRows, (events) => events.forUpdate().skipLocked()),
    )
    .updateTable('webhook_events')
    .set({ due_at: claimedUntil })
    .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('id'))
    .returning(columns)
    .execute();
  return claimed
    .map((event) => ({ ...event, claimedUntil }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

type Changes = Partial<Pick<Tables['webhook_events'], 'due_at' | 'error' | 'delivered_at'>>;

/** Stores what became of an event, with its attempts, unless another node has the event now, or it was removed. */
export async function recordAttempt(
  db: Db,
  { id, claimedUntil, attempts }: ClaimedEvent,
  changes: Changes,
): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ ...changes, attempts })
    .where('id', '=', id)
    .where('due_at', '=', claimedUntil)
    .execute();
}

/** @returns the state of an event. */
export const stateOf = ({ dueAt, deliveredAt }: WebhookEvent): WebhookState => {
  if (dueAt !== null) return 'waiting';
  return deliveredAt === null ? 'given-up' : 'delivered';
};

/** An event with the title of the book that was bought. */
export type ListedEvent = WebhookEvent & { title: string };

const listedEvents = (db: Db) =>
  db
    .selectFrom('webhook_events')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.customer_id', '=', 'webhook_events.customer_id')
        .onRef('orders.id', '=', 'webhook_events.order_id'),
    )
    .select([...columns.map((column) => `webhook_events.${column}` as const), 'orders.title']);

/**
 * Lists events, newest first.
 * @param cursor of the page before.
 * @returns also the cursor of the next page, when there is one.
 */
export async function listEvents(
  db: Db,
  { state, cursor, limit }: { state: WebhookState | 'all'; cursor: string | undefined; limit: number },
): Promise<{ events: ListedEvent[]; nextCursor: string | undefined }> {
  // Small indexes have the events that wait or have failed. In the order of the ids themselves an engine may read all events
  // instead, in search of them.
  const isRare = state === 'waiting' || state === 'given-up';
  const id = isRare ? sql<string>`webhook_events.id || ''` : sql.ref<string>('webhook_events.id');
  let query = listedEvents(db)
    .orderBy(id, 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where(id, '<', cursor);
  if (state === 'waiting') query = query.where('due_at', 'is not', null);
  if (state === 'given-up') query = query.where('error', 'is not', null).where('due_at', 'is', null);
  if (state === 'delivered') query = query.where('delivered_at', 'is not', null);
  const found = await query.execute();
  const events = found.slice(0, limit);
  return { events, nextCursor: found.length > limit ? events.at(-1)?.id : undefined };
}

/** @returns the event; undefined for an unknown one. */
export const findEvent = (db: Db, id: string): Promise<ListedEvent | undefined> =>
  listedEvents(db).where('webhook_events.id', '=', id).executeTakeFirst();

/** @returns the event as the desk and the command show it. */
export const presentEvent = (event: ListedEvent): DeskWebhook => ({
  _id: event.id,
  type: event.type,
  orderId: event.orderId,
  title: event.title,
  state: stateOf(event),
  createdAt: timeText(event.createdAt),
  attempts: event.attempts,
  nextAttemptAt: timeOrNull(event.dueAt),
  deliveredAt: timeOrNull(event.deliveredAt),
  error: event.error,
});

/** Makes an event due that was given up: the owner asks for it. @returns whether it is due. */
export async function retryEvent(db: Db, id: string, now = Date.now()): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_events')
    .set({ due_at: now })
    .where('id', '=', id)
    .where('due_at', 'is', null)
    .where('delivered_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** @returns how many events are due now or later. Counts the 10,000 that are due first: more would take long. */
export async function countDueEvents(db: Db): Promise<number> {
  const due = db
    .selectFrom('webhook_events')
    .select('id')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(10_000);
  const { count } = await db
    .selectFrom(due.as('due'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const retentionMs = 30 * 24 * 60 * 60 * 1000;

/** Removes events that are older than 30 days and not due. @param now in milliseconds since 1970. */
export async function sweepEvents(db: Db, now = Date.now()): Promise<void> {
  await deleteInBatches(
    db.deleteFrom('webhook_events').where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhook_events')
        .select('id')
        .where('id', '<', firstIdAt(now - retentionMs))
        .where('due_at', 'is', null)
        .orderBy('id')
        .limit(sweepBatchSize),
    ),
  );
}
