/** Withdrawals: by the buyer within the days that the order stores, by the owner at any time. */

import type { WithdrawnOrder } from '../../contract/order.ts';
import { tidyLines } from '../../contract/pasted-text.ts';
import { giveCopyBack } from '../catalogue/copies.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';
import { recordMessages, type Senders } from '../outbox/record.ts';
import { changePayment } from '../payments/standing.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { lockOrder, type StoredOrder, withdrawUntil } from './orders.ts';

/** `reason`: a text of several lines, or blank. `senders`: who reports the withdrawal. */
type Withdrawal = { reason?: string | undefined; senders: Senders };

/**
 * Withdraws an order for its buyer, durably; a repeated call changes nothing. @param now in milliseconds since 1970. @throws {Problem}
 * ORDER_NOT_FOUND; NOT_ALLOWED for another customer's order; TOO_LATE.
 */
export async function withdrawOrder(
  db: Db,
  customer: Pick<Customer, 'id'>,
  id: string,
  withdrawal: Withdrawal,
  now = Date.now(),
): Promise<WithdrawnOrder> {
  const withdrawnAt = await db.transaction().execute(async (db) => {
    const order = await lockOrder(db, id);
    if (order.customerId !== customer.id) throw new Problem('NOT_ALLOWED');
    if (order.withdrawnAt !== null) return order.withdrawnAt;
    if (withdrawUntil(order, now) === undefined) throw new Problem('TOO_LATE');
    await withdraw(db, order, { ...withdrawal, by: 'customer', now });
    return now;
  });
  return { _id: id, state: 'withdrawn', withdrawnAt: timeText(withdrawnAt) };
}

/** Withdraws a locked order. If it was not sent, its copy can be sold again. */
export async function withdraw(
  db: Db,
  order: StoredOrder,
  { by, reason = '', senders, now }: Withdrawal & { by: 'customer' | 'shop'; now: number },
): Promise<void> {
  // A request that began before the customer's erasure must not store new personal data.
  const isErased = order.buyerEmail === '';
  const withdrawal_reason = isErased ? null : tidyLines(reason) || null;
  const changes = { withdrawn_at: now, withdrawn_by: by, withdrawal_reason };
  await db.updateTable('orders').set(changes).where('id', '=', order.id).execute();
  const mail = senders.mail && !isErased;
  await recordMessages(db, 'withdrawn', [{ id: order.id, at: now, senders: { ...senders, mail } }]);
  // A withdrawal ends what is due. Money that comes later is surplus.
  await changePayment(db, order.number, senders, (standing) => standing);
  if (order.sentAt === null) await giveCopyBack(db, order);
}
