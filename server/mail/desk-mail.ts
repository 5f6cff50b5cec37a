import type { DeskMail, DeskMailContent, DeskMails, MailKind } from '../../contract/desk/mail.ts';
import type { Shop } from '../access/act.ts';
import { firstIdAt } from '../database/ids.ts';
import { cutPage } from '../database/row-pages.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';
import { keptMs } from '../outbox/due.ts';
import { type MailState, mailState, ordersWithMail } from '../outbox/mail-states.ts';
import { composeMessage, subjectOf } from './messages.ts';
import { type MailedOrder, mailedOrders } from './order-mail.ts';

type Page = { state: MailState | 'all'; cursor: string | undefined; limit: number };

/** Lists mail, newest first. Only waiting and given-up mail is listed from more than 30 days ago. In the demo every order has mail. */
export async function listMail(
  db: Db,
  mode: DeskMails['mode'],
  { state, cursor, limit }: Page,
): Promise<{ messages: DeskMail[]; nextCursor: string | undefined }> {
  let found = mailedOrders(db)
    .where('buyer_email', '<>', '')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) found = found.where('id', '<', cursor);
  if (mode === 'sent') found = found.where('id', 'in', ordersWithMail(db, state));
  if (mode === 'sent' && state !== 'waiting' && state !== 'given-up') {
    found = found.where('id', '>', firstIdAt(Date.now() - keptMs));
  }
  const { items, last } = cutPage(await found.execute(), limit);
  return { messages: await presentMail(db, mode, items), nextCursor: last?.id };
}

export async function readMail({ db, mail: { mode, sender } }: Shop, id: string): Promise<DeskMailContent> {
  const order = await mailedOrders(db).where('id', '=', id).executeTakeFirst();
  const [mail] = await presentMail(db, mode, order ? [order] : []);
  if (!order || !mail) throw new Problem('ORDER_NOT_FOUND');
  const present = (kind: MailKind) => {
    const { to, subject, text, html } = composeMessage(kind, order, sender);
    return { to: to.name ? `${to.name} <${to.address}>` : to.address, subject, text, html };
  };
  return {
    ...mail,
    receipt: present('receipt'),
    notice: present('notice'),
    ...(isOnItsWay(order) && { dispatch: present('dispatch') }),
    ...(order.withdrawnAt !== null && {
      acknowledgement: present('acknowledgement'),
      withdrawalNotice: present('withdrawal-notice'),
    }),
    ...(order.cancelledAt !== null && { cancellation: present('cancellation') }),
  };
}

const isOnItsWay = ({ sentAt, deliveryAddress }: MailedOrder): boolean =>
  sentAt !== null && deliveryAddress !== null;

/** @returns the last message to the buyer. */
function lastKindOf(order: MailedOrder): MailKind {
  if (order.cancelledAt !== null) return 'cancellation';
  if (order.withdrawnAt !== null) return 'acknowledgement';
  return isOnItsWay(order) ? 'dispatch' : 'receipt';
}

async function presentMail(
  db: Db,
  mode: DeskMails['mode'],
  orders: readonly MailedOrder[],
): Promise<DeskMail[]> {
  const ids = orders.map(({ id }) => id);
  if (ids.length === 0) return [];
  const all = await db
    .selectFrom('outbox')
    .select(['order_id', 'kind', 'due_at', 'attempts', 'error', 'done_at'])
    .where('sender', '=', 'mail')
    .where('order_id', 'in', ids)
    .orderBy('id')
    .execute();
  const ofOrders = Map.groupBy(all, ({ order_id }) => order_id);
  return orders.map((order) => {
    const messages = ofOrders.get(order.id) ?? [];
    // An order that is marked as sent once more has a message once more.
    const sentAt = (kind: MailKind) =>
      timeOrNull(messages.findLast((one) => one.kind === kind && one.done_at !== null)?.done_at ?? null);
    const due = messages.flatMap(({ due_at }) => due_at ?? []);
    const errors = new Set(messages.flatMap(({ error }) => error ?? []));
    return {
      _id: order.id,
      to: order.buyerEmail,
      subject: subjectOf(lastKindOf(order), order),
      state: mailState(messages) ?? (mode === 'shown' ? 'shown' : 'none'),
      placedAt: timeText(order.placedAt),
      attempts: Math.max(0, ...messages.map(({ attempts }) => attempts)),
      nextAttemptAt: due.length === 0 ? null : timeText(Math.min(...due)),
      receiptSentAt: sentAt('receipt'),
      noticeSentAt: sentAt('notice'),
      dispatchSentAt: sentAt('dispatch'),
      acknowledgementSentAt: sentAt('acknowledgement'),
      withdrawalNoticeSentAt: sentAt('withdrawal-notice'),
      cancellationSentAt: sentAt('cancellation'),
      error: [...errors].join(' ') || null,
    };
  });
}
