/** The owner sends money back: by the provider, which `settle` calls, or by the bank, which the owner has done. */

import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { StoredOrder } from '../orders/orders.ts';
import type { Senders } from '../outbox/record.ts';
import { apply, byHand, type Standing } from './apply.ts';
import type { Charge } from './payments.ts';

/**
 * Decides, in the transaction that has locked the order, that its money goes back: all of it once the order is withdrawn or cancelled,
 * before that its surplus. @param isRefunded false takes the mark back from a transfer. @returns false if nothing has changed. @throws
 * {Problem} NOT_WITHDRAWN; NOT_PAID when nothing came; REFUNDED.
 */
export async function markRefund(
  db: Db,
  order: StoredOrder,
  { payment, charges }: Standing,
  { isRefunded, senders }: { isRefunded: boolean; senders: Senders },
): Promise<boolean> {
  const now = Date.now();
  const isOver = order.withdrawnAt !== null || order.cancelledAt !== null;
  const goesBack = ({ cents, refunded_cents, refund_at }: Charge) =>
    cents > refunded_cents && (isOver || refund_at !== null);
  const isMarked = (charge: Charge) =>
    charge.way === byHand && charge.id === payment.charge_id && charge.refunded_cents > 0;
  const concerned = charges.filter(isRefunded ? goesBack : isMarked);
  if (concerned.length === 0) {
    if ((payment.state === 'refunded') === isRefunded) return false;
    throw new Problem(isRefunded ? (isOver ? 'NOT_PAID' : 'NOT_WITHDRAWN') : 'REFUNDED');
  }
  const marked = charges.map((charge) => {
    if (!concerned.includes(charge)) return charge;
    if (!isRefunded) return { ...charge, refunded_cents: 0, refund_at: null };
    const refunded_cents = charge.way === byHand ? charge.cents : charge.refunded_cents;
    return { ...charge, refunded_cents, refund_at: charge.refund_at ?? now };
  });
  await apply(db, { payment, charges }, marked, { senders, isHeld: true, now });
  return true;
}
