/** The owner sends money back: by the provider, which `settle` calls, or by the bank, which the owner has done. */

import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { StoredOrder } from '../orders/orders.ts';
import type { Senders } from '../outbox/record.ts';
import type { Charge } from './payments.ts';
import { byHand, changePayment, sendBack } from './standing.ts';

/**
 * Decides, in the transaction that has locked the order, that its money goes back: all of it once the order is withdrawn or cancelled,
 * before that its surplus. @param isRefunded false takes the mark back from a transfer. @returns undefined if nothing has changed. @throws
 * {Problem} NOT_WITHDRAWN; NOT_PAID when nothing came; REFUNDED.
 */
export const markRefund = (
  db: Db,
  { number, withdrawnAt, cancelledAt }: StoredOrder,
  isRefunded: boolean,
  senders: Senders,
) =>
  changePayment(db, number, senders, ({ payment, charges }) => {
    const isOver = withdrawnAt !== null || cancelledAt !== null;
    const isConcerned = ({ id, way, cents, refunded_cents, refund_at }: Charge) =>
      isRefunded
        ? cents > refunded_cents && (isOver || refund_at !== null)
        : way === byHand && id === payment.charge_id && refunded_cents > 0;
    // A provider is told once. A later request settles the payment.
    const isToMark = (charge: Charge) =>
      isConcerned(charge) && !(isRefunded && charge.way !== byHand && charge.refund_at !== null);
    if (!charges.some(isConcerned)) {
      if ((payment.state === 'refunded') === isRefunded) return undefined;
      throw new Problem(isRefunded ? (isOver ? 'NOT_PAID' : 'NOT_WITHDRAWN') : 'REFUNDED');
    }
    if (!charges.some(isToMark)) return undefined;
    const marked = (charge: Charge): Charge => {
      if (!isRefunded) return { ...charge, refunded_cents: 0, refund_at: null };
      const refunded_cents = charge.way === byHand ? charge.cents : charge.refunded_cents;
      return { ...sendBack(charge, Date.now()), refunded_cents };
    };
    return { payment, charges: charges.map((charge) => (isToMark(charge) ? marked(charge) : charge)) };
  });
