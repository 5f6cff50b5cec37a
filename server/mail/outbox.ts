/**
 * The outbox: the orders whose mail is due. The statement that places or withdraws an order writes `mail_due_at`, so no order is
 * without its mail and no mail without an order (docs/decisions/0040).
 */

import { type Selection, sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import { firstIdAt } from '../database/ids.ts';
import { readInTurn, rowsPerTurn } from '../database/row-turns.ts';
import type { Db, Tables } from '../database/tables.ts';

/** The columns that the messages of an order are made of. Times in milliseconds since 1970, the price in cents. */
const mailColumns = [
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
  'mail_due_at as mailDueAt',
  'mail_attempts as attempts',
  'mail_error as error',
  'receipt_sent_at as receiptSentAt',
  'notice_sent_at as noticeSentAt',
  'sent_at as sentAt',
  'withdrawn_at as withdrawnAt',
  'withdrawn_by as withdrawnBy',
  'withdrawal_reason as withdrawalReason',
  'acknowledgement_sent_at as acknowledgementSentAt',
  'withdrawal_notice_sent_at as withdrawalNoticeSentAt',
  'order_mail_ended_at as orderMailEndedAt',
] as const;
export type OrderMail = Selection<Tables, 'orders', (typeof mailColumns)[number]>;

/** An order whose mail one node is sending, until `claimedUntil`. */
export type ClaimedMail = OrderMail & { claimedUntil: number };

/**
 * Claims orders whose mail is due, for this node alone. A node that dies loses the claim when its time is over.
 * @param now in milliseconds since 1970.
 */
export async function claimDueMail(
  db: Db,
  {
    now,
    claimMs,
    limit,
    isNewestFirst = false,
  }: { now: number; claimMs: number; limit: number; isNewestFirst?: boolean },
): Promise<ClaimedMail[]> {
  const claimedUntil = now + claimMs;
  const claimed = await db
    .with('due', (query) =>
      query
        .selectFrom('orders')
        .select(['customer_id', 'id'])
        .where('mail_due_at', '<=', now)
        .orderBy('mail_due_at', isNewestFirst ? 'desc' : 'asc')
        .limit(limit)
        .$if(engineOf(db).locksRows, (orders) => orders.forUpdate().skipLocked()),
    )
    .updateTable('orders')
    .set(({ eb, fn }) => ({
      mail_due_at: claimedUntil,
      mail_attempts: eb(fn.coalesce('mail_attempts', eb.lit(0)), '+', 1),
    }))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('customer_id', 'id'),
        'in',
        selectFrom('due').select(['customer_id', 'id']).$asTuple('customer_id', 'id'),
      ),
    )
    .returning(mailColumns)
    .execute();
  return claimed.map((mail) => ({ ...mail, claimedUntil }));
}

type Changes = Partial<
  Pick<
    Tables['orders'],
    | 'mail_due_at'
    | 'receipt_sent_at'
    | 'notice_sent_at'
    | 'acknowledgement_sent_at'
    | 'withdrawal_notice_sent_at'
    | 'mail_error'
  >
>;

/**
 * Changes a claimed order.
 * @returns whether the claim still held. Otherwise nothing was changed: another node has the order, or it was erased.
 */
export async function changeClaimed(
  db: Db,
  { customerId, id, claimedUntil }: ClaimedMail,
  changes: Changes,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set(changes)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('mail_due_at', '=', claimedUntil)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Stored as the error of mail whose receipt waits, or was given up, because its address had its receipts of the hour. */
export const receiptLimitReached = 'RECEIPT_LIMIT';

/** @returns true if the customer still has the address of the order, and the identity provider has verified it. */
export async function isBuyerVerified(
  db: Db,
  { customerId, buyerEmail }: Pick<OrderMail, 'customerId' | 'buyerEmail'>,
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
 * The state of the mail; after a withdrawal, of the withdrawal's mail. `given-up`: not sent any more. `unverified`: the shop got
 * its notice and the buyer nothing, because nothing verifies the address.
 */
export type MailState = 'waiting' | 'sent' | 'given-up' | 'unverified';

/** @returns the state of an order's mail; undefined for one without, such as from before mail was set up. */
export function mailState(order: OrderMail): MailState | undefined {
  const { mailDueAt, error, receiptSentAt, noticeSentAt, buyerEmail } = order;
  if (mailDueAt !== null) return 'waiting';
  if (error !== null) return 'given-up';
  if (order.acknowledgementSentAt !== null) return 'sent';
  if (order.withdrawalNoticeSentAt !== null && buyerEmail !== '') return 'unverified';
  if (receiptSentAt !== null) return 'sent';
  // An erased customer's receipt may have waited.
  return noticeSentAt !== null && buyerEmail !== '' ? 'unverified' : undefined;
}

/** Lists other than of the few orders that wait or have failed reach back this far: they read the orders one by one. */
const listedMs = 30 * 24 * 60 * 60 * 1000;
/** So many orders are read for each page of them. */
const maxRead = 20_000;

type ListedState = MailState | 'all' | 'shown';
type MailPage = { mails: OrderMail[]; nextCursor: string | undefined };

/**
 * Lists orders by the state of their mail, newest first; `shown` are all orders, for the demo. Only waiting and given-up mail is
 * listed from further back than 30 days.
 * @param cursor of the page before.
 * @returns also the cursor of the next page, when more may follow. A page may be short, or empty, although another one follows.
 */
export async function listMail(
  db: Db,
  { state, cursor, limit }: { state: ListedState; cursor: string | undefined; limit: number },
): Promise<MailPage> {
  // Small indexes have the mail that waits or has failed. In the order of the ids themselves an engine may read all orders
  // instead, in search of it.
  const isRare = state === 'waiting' || state === 'given-up';
  const id = isRare ? sql<string>`id || ''` : sql.ref<string>('id');
  const atOnce = isRare ? limit + 1 : rowsPerTurn;
  const found: OrderMail[] = [];
  let before = cursor;
  let isAtEnd = false;
  for (let read = 0; !isAtEnd && found.length <= limit && read < maxRead; read += atOnce) {
    let query = db.selectFrom('orders').select(mailColumns).orderBy(id, 'desc').limit(atOnce);
    if (before !== undefined) query = query.where(id, '<', before);
    if (state === 'waiting') query = query.where('mail_due_at', 'is not', null);
    else if (state === 'given-up')
      query = query.where('mail_error', 'is not', null).where('mail_due_at', 'is', null);
    else if (state !== 'shown') query = query.where('id', '>', firstIdAt(Date.now() - listedMs));
    const page = query;
    const rows = await (isRare ? page.execute() : readInTurn(() => page.execute()));
    found.push(...rows.filter((order) => isListed(order, state)));
    isAtEnd = rows.length < atOnce;
    before = rows.at(-1)?.id;
  }
  const mails = found.slice(0, limit);
  const lastRead = isAtEnd ? undefined : before;
  return { mails, nextCursor: found.length > limit ? mails.at(-1)?.id : lastRead };
}

function isListed(order: OrderMail, state: ListedState): boolean {
  if (state === 'shown') return order.buyerEmail !== '';
  const actual = mailState(order);
  const hasNotice = order.noticeSentAt !== null || order.withdrawalNoticeSentAt !== null;
  return state === 'all' ? actual !== undefined || hasNotice : actual === state;
}

/** @returns the order's mail; undefined for an unknown order. */
export const findMail = (db: Db, id: string): Promise<OrderMail | undefined> =>
  db.selectFrom('orders').select(mailColumns).where('id', '=', id).executeTakeFirst();

/**
 * Makes mail due that was given up, or was not sent to an unverified address: the owner asks for it. Mail that waits is left alone,
 * since a node may be sending it.
 * @param now in milliseconds since 1970.
 * @returns whether it is due.
 */
export async function retryMail(db: Db, id: string, now = Date.now()): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ mail_due_at: now })
    .where('id', '=', id)
    .where(({ or, and, eb }) =>
      or([
        eb('mail_error', 'is not', null),
        and([
          eb('notice_sent_at', 'is not', null),
          eb('receipt_sent_at', 'is', null),
          eb('order_mail_ended_at', 'is', null),
        ]),
        and([eb('withdrawal_notice_sent_at', 'is not', null), eb('acknowledgement_sent_at', 'is', null)]),
      ]),
    )
    .where('buyer_email', '<>', '')
    .where('mail_due_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * @returns of how many orders mail is due now or later, without receipts that wait because of the limit of their address: nothing is
 * wrong with them. Reads the 10,000 that are due first: more would take long.
 */
export async function countDueMail(db: Db): Promise<number> {
  const due = db
    .selectFrom('orders')
    .select('mail_error')
    .where('mail_due_at', 'is not', null)
    .orderBy('mail_due_at')
    .limit(10_000);
  const { count } = await db
    .selectFrom(due.as('due'))
    .select(({ fn }) => fn.countAll().as('count'))
    .where(({ or, eb }) => or([eb('mail_error', 'is', null), eb('mail_error', '<>', receiptLimitReached)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}
