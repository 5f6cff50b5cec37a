import { DeskOrder, Settlement } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderParams } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { giveCopyBack } from '../../catalogue/copies.ts';
import { Problem } from '../../http/problems.ts';
import { findDeskOrder } from '../desk-orders.ts';
import { lockOrder } from '../orders.ts';

const undo = 'take the mark back';

export const settleOrder = act({
  method: 'POST',
  path: deskPaths.orderSettle,
  operationId: 'settleOrder',
  summary: 'Notes that a withdrawn order was refunded, or that its book came back',
  description:
    'An order that is marked already keeps its time. The copy of a book that came back can be sold again.',
  scope: 'orders',
  input: { params: OrderParams, body: Settlement },
  output: DeskOrder,
  problems: ['ORDER_NOT_FOUND', 'NOT_WITHDRAWN'],
  async run({ db, actor, onShelfChanged }, { params: { id }, body: { isRefunded, isReturned } }) {
    await db.transaction().execute(async (db) => {
      const order = await lockOrder(db, id);
      if (order.withdrawnAt === null) throw new Problem('NOT_WITHDRAWN');
      const refunds = isRefunded !== undefined && isRefunded !== (order.refundedAt !== null);
      const returns = isReturned !== undefined && isReturned !== (order.returnedAt !== null);
      if (!refunds && !returns) return;
      const now = Date.now();
      const refund = refunds && { refunded_at: isRefunded ? now : null };
      const changes = { ...refund, ...(returns && { returned_at: isReturned ? now : null }) };
      await db.updateTable('orders').set(changes).where('id', '=', id).execute();
      const details = { ...(refunds && { isRefunded }), ...(returns && { isReturned }) };
      await recordActivity(db, 'order-settled', actor, { subject: id, details });
      // The copy stays for sale even if the owner removes the mark.
      if (returns && isReturned) await giveCopyBack(db, order);
    });
    onShelfChanged();
    return await findDeskOrder(db, id);
  },
  commands: {
    'orders mark-refunded': {
      purpose: 'Notes that the buyer of a withdrawn order has the money back.',
      flags: { undo },
      given: ({ undo }) => ({ isRefunded: !undo }),
      report: ({ refundedAt }) => `It is ${refundedAt === null ? 'not ' : ''}refunded now.`,
    },
    'orders mark-returned': {
      purpose: 'Notes that the book of a withdrawn order came back.',
      flags: { undo },
      given: ({ undo }) => ({ isReturned: !undo }),
      report: ({ returnedAt }) => `It is ${returnedAt === null ? 'not ' : ''}returned now.`,
    },
  },
});
