import { DeskOrder, Settlement } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderParams } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { giveCopyBack } from '../../catalogue/copies.ts';
import { Problem } from '../../http/problems.ts';
import { markRefund } from '../../payments/refund.ts';
import { goesBack } from '../../payments/standing.ts';
import { findDeskOrder } from '../desk-orders.ts';
import { lockOrder } from '../orders.ts';

const undo = 'take the mark back';

export const settleOrder = act({
  method: 'POST',
  path: deskPaths.orderSettle,
  operationId: 'settleOrder',
  summary: 'Notes that a withdrawn order was refunded, or that its book came back',
  description:
    'An order that is marked already keeps its time. The copy of a book that came back can be sold again. What was paid by a provider is ' +
    'refunded by it: the whole total; until it has answered, `UNAVAILABLE`. A payment that came twice or too late goes back alike.',
  scope: 'orders',
  input: { params: OrderParams, body: Settlement },
  output: DeskOrder,
  problems: ['ORDER_NOT_FOUND', 'NOT_WITHDRAWN', 'NOT_PAID', 'REFUNDED', 'UNAVAILABLE'],
  async run(
    { db, actor, outbox, payments, onShelfChanged },
    { params: { id }, body: { isRefunded, isReturned } },
  ) {
    const order = await db.transaction().execute(async (db) => {
      const order = await lockOrder(db, id);
      const hasPayment = order.paymentState !== null;
      if (order.withdrawnAt === null && (!hasPayment || isReturned !== undefined))
        throw new Problem('NOT_WITHDRAWN');
      const written =
        hasPayment && isRefunded !== undefined
          ? await markRefund(db, order, isRefunded, outbox.senders)
          : undefined;
      const isNews = isRefunded !== undefined && isRefunded !== (order.refundedAt !== null);
      const refunds = hasPayment ? written !== undefined : isNews;
      // A provider is asked after this transaction, and may refuse.
      const isAsked = isRefunded && written?.charges.some(goesBack);
      const returns = isReturned !== undefined && isReturned !== (order.returnedAt !== null);
      if (!refunds && !returns) return order;
      const now = Date.now();
      const changes = {
        ...(refunds && !hasPayment && { refunded_at: isRefunded ? now : null }),
        ...(returns && { returned_at: isReturned ? now : null }),
      };
      if (Object.keys(changes).length > 0)
        await db.updateTable('orders').set(changes).where('id', '=', id).execute();
      const refund = refunds && { isRefunded, ...(isAsked && { isAsked }) };
      const details = { ...refund, ...(returns && { isReturned }) };
      await recordActivity(db, 'order-settled', actor, { subject: id, details });
      // The copy stays for sale even if the owner removes the mark.
      if (returns && isReturned) await giveCopyBack(db, order);
      return order;
    });
    if (isRefunded !== undefined) await payments.settle(order.number, 'desk');
    outbox.wake();
    onShelfChanged();
    return await findDeskOrder(db, id);
  },
  commands: {
    'orders mark-refunded': {
      purpose: 'Refunds a withdrawn order by its provider, or notes that its buyer has the money back.',
      flags: { undo },
      given: ({ undo }) => ({ isRefunded: !undo }),
      report: ({ payment, refundedAt }) =>
        `It is ${(payment ? payment.refunded > 0 : refundedAt !== null) ? '' : 'not '}refunded now.`,
    },
    'orders mark-returned': {
      purpose: 'Notes that the book of a withdrawn order came back.',
      flags: { undo },
      given: ({ undo }) => ({ isReturned: !undo }),
      report: ({ returnedAt }) => `It is ${returnedAt === null ? 'not ' : ''}returned now.`,
    },
  },
});
