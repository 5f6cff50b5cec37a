import type { DeskWebhook, EventType, WebhookState } from '../../contract/desk/webhooks.ts';
import { cutPage } from '../database/row-pages.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { missing } from '../http/problems.ts';

const events = (db: Db) =>
  db
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'order_id')
    .where('sender', '=', 'webhooks')
    .select(['outbox.id as _id', 'kind', 'order_id as orderId', 'title', 'created_at as createdAt'])
    .select(['due_at as dueAt', 'attempts', 'error', 'done_at as doneAt']);
type Event = Awaited<ReturnType<ReturnType<typeof events>['executeTakeFirstOrThrow']>>;

const present = ({ kind, createdAt, dueAt, doneAt, ...event }: Event): DeskWebhook => ({
  ...event,
  // The cast is right: the sender of webhooks has no other kinds.
  type: kind as EventType,
  state: dueAt !== null ? 'waiting' : doneAt === null ? 'given-up' : 'delivered',
  createdAt: timeText(createdAt),
  nextAttemptAt: timeOrNull(dueAt),
  deliveredAt: timeOrNull(doneAt),
});

/** Lists webhooks, newest first. @param cursor of the previous page. */
export async function listEvents(
  db: Db,
  { state, cursor, limit }: { state: WebhookState | 'all'; cursor: string | undefined; limit: number },
): Promise<{ events: DeskWebhook[]; nextCursor: string | undefined }> {
  let query = events(db)
    .orderBy('outbox.id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where('outbox.id', '<', cursor);
  if (state !== 'all') query = query.where('due_at', state === 'waiting' ? 'is not' : 'is', null);
  if (state === 'given-up') query = query.where('done_at', 'is', null);
  if (state === 'delivered') query = query.where('done_at', 'is not', null);
  const { items, last } = cutPage((await query.execute()).map(present), limit);
  return { events: items, nextCursor: last?._id };
}

/** @throws {Problem} NOT_FOUND. */
export const findEvent = async (db: Db, id: string): Promise<DeskWebhook> =>
  present(await events(db).where('outbox.id', '=', id).executeTakeFirstOrThrow(missing('NOT_FOUND')));
