import { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderParams, Withdrawal } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { findDeskOrder } from '../desk-orders.ts';
import { lockOrder } from '../orders.ts';
import { withdraw } from '../withdrawal.ts';

export const withdrawForShop = act({
  method: 'POST',
  path: deskPaths.orderWithdraw,
  operationId: 'withdrawForShop',
  summary: 'Withdraws or cancels an order, whenever it was placed or sent',
  description:
    'For a buyer who has written to the shop, or a book that cannot be sent. The buyer gets a mail. Again it changes nothing. ' +
    'A body may be left out.',
  scope: 'orders',
  input: { params: OrderParams, body: Withdrawal },
  isBodyOptional: true,
  output: DeskOrder,
  problems: ['ORDER_NOT_FOUND'],
  async run({ db, outbox, actor, onShelfChanged }, { params: { id }, body: { reason } }) {
    await db.transaction().execute(async (db) => {
      const order = await lockOrder(db, id);
      if (order.withdrawnAt !== null || order.cancelledAt !== null) return;
      const details = { isSent: order.sentAt !== null };
      await recordActivity(db, 'order-withdrawn', actor, { subject: id, details });
      await withdraw(db, order, { reason, senders: outbox.senders, by: 'shop', now: Date.now() });
    });
    onShelfChanged();
    outbox.wake();
    return await findDeskOrder(db, id);
  },
  commands: {
    'orders withdraw': {
      report: ({ withdrawnAt, withdrawnBy, sentAt }) => {
        const done = withdrawnBy === 'shop' && sentAt === null ? 'Cancelled' : 'Withdrawn';
        return withdrawnAt ? `${done} at ${withdrawnAt}.` : 'It was cancelled before.';
      },
    },
  },
});
