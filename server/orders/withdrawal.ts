/** Withdrawals: by the buyer on the days that the order keeps for that, by the owner at any time. */

import type { WithdrawnOrder } from '../../contract/order.ts';
import { tidyLines } from '../../contract/pasted-text.ts';
import { giveCopyBack } from '../catalogue/copies.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';
import { recordMessages, type Senders } from '../outbox/record.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { lockOrder, type StoredOrder, withdrawUntil } from './orders.ts';

/** `reason`: in lines; blank for none. `senders`: who tells of it. */
type Withdrawal = { reason?: string | undefined; senders: Senders };

/**
 * Withdraws an order for its buyer, once: again it changes nothing. Durable when it returns.
 * @param now in milliseconds since 1970.
 * @throws {Problem} ORDER_NOT_FOUND; NOT_ALLOWED for another customer's order; TOO_LATE.
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

/** Withdraws a locked order. The copy of one that was not sent can be sold again. */
export async function withdraw(
  db: Db,
  order: StoredOrder,
  { by, reason = '', senders, now }: Withdrawal & { by: 'customer' | 'shop'; now: number },
): Promise<void> {
  // A request that began before an erasure must leave nothing of the person behind.
  const isErased = order.buyerEmail === '';
  const withdrawal_reason = isErased ? null : tidyLines(reason) || null;
  const changes = { withdrawn_at: now, withdrawn_by: by, withdrawal_reason };
  await db.updateTable('orders').set(changes).where('id', '=', order.id).execute();
  const mail = senders.mail && !isErased;
  await recordMessages(db, 'withdrawn', [{ id: order.id, at: now, senders: { ...senders, mail } }]);
  if (order.sentAt === null) await giveCopyBack(db, order);
}
