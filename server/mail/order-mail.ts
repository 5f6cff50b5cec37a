import type { ExpressionBuilder, Selection } from 'kysely';
import { firstIdAt } from '../database/ids.ts';
import type { Db, Tables } from '../database/tables.ts';
import { keptMs } from '../outbox/due.ts';

/** What messages are made of. */
const columns = [
  'id',
  'customer_id as customerId',
  'book_id as bookId',
  'title',
  'author',
  'price_cents as priceCents',
  'time',
  'buyer_name as buyerName',
  'buyer_email as buyerEmail',
  'placed_at as placedAt',
  'delivery_address as deliveryAddress',
  'withdrawal_days as withdrawalDays',
  'sent_at as sentAt',
  'withdrawn_at as withdrawnAt',
  'withdrawn_by as withdrawnBy',
  'withdrawal_reason as withdrawalReason',
] as const;
export type MailedOrder = Selection<Tables, 'orders', (typeof columns)[number]>;

type OrderMessage = Pick<Tables['outbox'], 'kind' | 'due_at' | 'error' | 'done_at'> & { attempts: number };
export type OrderMail = MailedOrder & { messages: readonly OrderMessage[] };

export const findMailedOrder = (db: Db, id: string): Promise<MailedOrder | undefined> =>
  db.selectFrom('orders').select(columns).where('id', '=', id).executeTakeFirst();

/** The customer may have another address since. */
export async function isBuyerVerified(
  db: Db,
  { customerId, buyerEmail }: Pick<MailedOrder, 'customerId' | 'buyerEmail'>,
): Promise<boolean> {
  const verified = await db
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customerId)
    .where('email', '=', buyerEmail)
    .where('is_email_verified', '=', 1)
    .executeTakeFirst();
  return verified !== undefined;
}

/**
 * `given-up`: a message is not sent any more. `unverified`: the buyer's was kept back, because nothing verifies the address, and the shop
 * got its own.
 */
type MailState = 'waiting' | 'sent' | 'given-up' | 'unverified';

/** @returns undefined for an order without mail, such as from before mail was set up. */
export function mailState({ messages }: OrderMail): MailState | undefined {
  if (messages.length === 0) return undefined;
  if (messages.some(({ due_at }) => due_at !== null)) return 'waiting';
  if (messages.some(({ error }) => error !== null)) return 'given-up';
  return messages.some(({ done_at }) => done_at === null) ? 'unverified' : 'sent';
}

export function ordersWithMail(db: Db, state: MailState | 'all') {
  let orders = db
    .selectFrom('outbox')
    .select('order_id as id')
    .where('sender', '=', 'mail')
    .groupBy('order_id');
  if (state === 'all') return orders;
  // Small indexes have the few messages that wait, or were not sent.
  const few = db.selectFrom('outbox').select('order_id').where('sender', '=', 'mail');
  if (state === 'waiting') return orders.where('order_id', 'in', few.where('due_at', 'is not', null));
  if (state !== 'sent') {
    orders = orders.where('order_id', 'in', few.where('due_at', 'is', null).where('done_at', 'is', null));
  }
  return orders.having((group) =>
    group.and([
      isNone(group, 'due_at'),
      state === 'given-up' ? group.not(isNone(group, 'error')) : isNone(group, 'error'),
      ...(state === 'sent' ? [group(group.fn.count('done_at'), '=', group.fn.countAll())] : []),
    ]),
  );
}

const isNone = (group: ExpressionBuilder<Tables, 'outbox'>, column: 'due_at' | 'error') =>
  group(group.fn.count(column), '=', group.lit(0));

/** Newest first. Only waiting and given-up mail is listed from further back than 30 days. `shown` are all orders, for the demo. */
export async function listMail(
  db: Db,
  { state, cursor, limit }: { state: MailState | 'all' | 'shown'; cursor: string | undefined; limit: number },
): Promise<{ mails: OrderMail[]; nextCursor: string | undefined }> {
  const isBefore = cursor !== undefined;
  const found =
    state === 'shown'
      ? db
          .selectFrom('orders')
          .select('id')
          .where('buyer_email', '<>', '')
          .$if(isBefore, (orders) => orders.where('id', '<', cursor ?? ''))
          .orderBy('id', 'desc')
          .limit(limit + 1)
      : ordersWithMail(db, state)
          .$if(isBefore, (orders) => orders.where('order_id', '<', cursor ?? ''))
          .$if(state !== 'waiting' && state !== 'given-up', (orders) =>
            orders.where('order_id', '>', firstIdAt(Date.now() - keptMs)),
          )
          .orderBy('order_id', 'desc')
          .limit(limit + 1);
  const orders: { id: string }[] = await found.execute();
  const ids = orders.slice(0, limit).map(({ id }) => id);
  return { mails: await readMail(db, ids), nextCursor: orders.length > limit ? ids.at(-1) : undefined };
}

export const findMail = async (db: Db, id: string): Promise<OrderMail | undefined> =>
  (await readMail(db, [id]))[0];

async function readMail(db: Db, ids: readonly string[]): Promise<OrderMail[]> {
  if (ids.length === 0) return [];
  const orders = await db
    .selectFrom('orders')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
  const messages = await db
    .selectFrom('outbox')
    .select(['order_id', 'kind', 'due_at', 'attempts', 'error', 'done_at'])
    .where('sender', '=', 'mail')
    .where('order_id', 'in', ids)
    .execute();
  const ofOrders = Map.groupBy(messages, ({ order_id }) => order_id);
  return orders.map((order) => ({ ...order, messages: ofOrders.get(order.id) ?? [] }));
}
