import type { DeskWebhook, EventType, WebhookState } from '../../contract/desk/webhooks.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';

const events = (db: Db) =>
  db
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'outbox.order_id')
    .where('outbox.sender', '=', 'webhooks')
    .select([
      'outbox.id',
      'outbox.kind',
      'outbox.order_id',
      'orders.title',
      'outbox.created_at',
      'outbox.due_at',
      'outbox.attempts',
      'outbox.error',
      'outbox.done_at',
    ]);
type Event = Awaited<ReturnType<ReturnType<typeof events>['executeTakeFirstOrThrow']>>;

const present = (event: Event): DeskWebhook => ({
  _id: event.id,
  // The sender of webhooks has no other kinds.
  type: event.kind as EventType,
  orderId: event.order_id,
  title: event.title,
  state: event.due_at !== null ? 'waiting' : event.done_at === null ? 'given-up' : 'delivered',
  createdAt: timeText(event.created_at),
  attempts: event.attempts,
  nextAttemptAt: timeOrNull(event.due_at),
  deliveredAt: timeOrNull(event.done_at),
  error: event.error,
});

/** Newest first. @param cursor of the page before. */
export async function listEvents(
  db: Db,
  { state, cursor, limit }: { state: WebhookState | 'all'; cursor: string | undefined; limit: number },
): Promise<{ events: DeskWebhook[]; nextCursor: string | undefined }> {
  let query = events(db)
    .orderBy('outbox.id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where('outbox.id', '<', cursor);
  if (state !== 'all') query = query.where('outbox.due_at', state === 'waiting' ? 'is not' : 'is', null);
  if (state === 'given-up') query = query.where('outbox.done_at', 'is', null);
  if (state === 'delivered') query = query.where('outbox.done_at', 'is not', null);
  const found = (await query.execute()).map(present);
  const page = found.slice(0, limit);
  return { events: page, nextCursor: found.length > limit ? page.at(-1)?._id : undefined };
}

export async function findEvent(db: Db, id: string): Promise<DeskWebhook | undefined> {
  const event = await events(db).where('outbox.id', '=', id).executeTakeFirst();
  return event && present(event);
}
