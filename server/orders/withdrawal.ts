/** Taking an order back: its buyer on the days that the order keeps for that, the owner at any time. */

import type { WithdrawnOrder } from '../../contract/order.ts';
import { tidyLines } from '../../contract/pasted-text.ts';
import { giveCopyBack } from '../catalogue/copies.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';
import { endMail, recordMessages, type Senders } from '../outbox/record.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { withdrawUntil } from './orders.ts';

type Withdrawal = {
  /** In lines; blank for none. */
  reason?: string | undefined;
  /** Who tells of it. */
  senders: Senders;
};

/**
 * Withdraws an order for its buyer, once: again it changes nothing. Durable when it returns.
 * @param now in milliseconds since 1970.
 * @throws {Problem} ORDER_NOT_FOUND; NOT_ALLOWED for another customer's order; TOO_LATE.
 */
export async function withdrawOrder(
  db: Db,
  customer: Pick<Customer, 'id'>,
  id: string,
  withdrawal: Withdrawal & {
    /** Called after a copy has come back, if that changes what the shop shows of its book. */
    onShelfChanged?: () => void;
  },
  now = Date.now(),
): Promise<WithdrawnOrder> {
  let isShelfChanged = false;
  const withdrawnAt = await db.transaction().execute(async (db) => {
    const order = await lockOrder(db, id);
    if (order.customerId !== customer.id) throw new Problem('NOT_ALLOWED');
    if (order.withdrawnAt !== null) return order.withdrawnAt;
    if (withdrawUntil(order, now) === undefined) throw new Problem('TOO_LATE');
    isShelfChanged = await withdraw(db, order, { ...withdrawal, by: 'customer', now });
    return now;
  });
  if (isShelfChanged) withdrawal.onShelfChanged?.();
  return { _id: id, state: 'withdrawn', withdrawnAt: timeText(withdrawnAt) };
}

/** @returns the order as it is until the end of the transaction: it is not marked as sent meanwhile, nor withdrawn elsewhere. */
export async function lockOrder(db: Db, id: string) {
  const query = db
    .selectFrom('orders')
    .select([
      'id',
      'customer_id as customerId',
      'book_id as bookId',
      'buyer_email as buyerEmail',
      'sent_at as sentAt',
      'withdrawal_days as withdrawalDays',
      'withdrawn_at as withdrawnAt',
      'refunded_at as refundedAt',
      'returned_at as returnedAt',
    ])
    .where('id', '=', id)
    .orderBy('id');
  const order = await engineOf(db).lockedInOrder(query).executeTakeFirst();
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return order;
}

type LockedOrder = Awaited<ReturnType<typeof lockOrder>>;

/** @returns true if a page of the shop is another one now: the copy of an order that was not sent can be sold again. */
export async function withdraw(
  db: Db,
  order: LockedOrder,
  { by, reason = '', senders, now }: Withdrawal & { by: 'customer' | 'shop'; now: number },
): Promise<boolean> {
  // A request that began before an erasure must leave nothing of the person behind.
  const isErased = order.buyerEmail === '';
  await db
    .updateTable('orders')
    .set({
      withdrawn_at: now,
      withdrawn_by: by,
      withdrawal_reason: isErased ? null : tidyLines(reason) || null,
    })
    .where('customer_id', '=', order.customerId)
    .where('id', '=', order.id)
    .execute();
  const mail = senders.mail && !isErased;
  if (mail) await endMail(db, order.id);
  await recordMessages(db, 'withdrawn', [{ id: order.id, at: now, senders: { ...senders, mail } }]);
  return order.sentAt === null && (await giveCopyBack(db, order));
}
