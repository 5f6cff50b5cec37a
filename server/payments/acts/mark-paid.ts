import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { MarkedPaid, MarkPaid } from '../../../contract/desk/payments.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { lockOrders } from '../../orders/orders.ts';
import { markPaidByHand, takeMarkBack } from '../by-hand.ts';

export const markPaid = act({
  method: 'POST',
  path: deskPaths.ordersPaid,
  operationId: 'markPaid',
  summary: 'Marks orders as paid, or takes the mark back',
  description:
    'For money that came by transfer or in cash. An order that is not due stays as it is, and so does one that was paid otherwise, or ' +
    'is sent, when the mark is taken back. The response has the orders that have a payment.',
  scope: 'orders',
  input: { body: MarkPaid },
  output: Type.Array(MarkedPaid),
  async run({ db, actor, outbox }, { body: { ids, isPaid } }) {
    const marked = await db.transaction().execute(async (db) => {
      const payments = await db
        .selectFrom('payments')
        .selectAll()
        .where(({ or, eb }) => or([eb('order_id', 'in', ids), eb('reference', 'in', ids)]))
        .orderBy('order_id')
        .execute();
      if (payments.length === 0) return [];
      const orders = await lockOrders(
        db,
        payments.map(({ order_id }) => order_id),
      );
      const rows: MarkedPaid[] = [];
      for (const [at, payment] of payments.entries()) {
        const isMarkable = isPaid || orders[at]?.sentAt === null;
        const change = isPaid ? markPaidByHand : takeMarkBack;
        const isChanged = isMarkable && (await change(db, payment, outbox));
        const { order_id: _id, reference: number, state } = payment;
        rows.push({ _id, number, isPaid: isChanged ? isPaid : state === 'paid', isChanged });
      }
      const changed = rows.filter(({ isChanged }) => isChanged);
      const [first] = changed;
      if (!first) return rows;
      const details = { isPaid, orders: changed.length, ids: changed.map(({ _id }) => _id).join(' ') };
      const subject = changed.length === 1 && { subject: first._id };
      await recordActivity(db, 'orders-paid', actor, { ...subject, details });
      return rows;
    });
    outbox.wake();
    return marked;
  },
  commands: {
    'orders mark-paid': {
      purpose:
        'Marks orders as paid, for money that came by transfer or in cash. ID may be an order’s number.',
      operands: { 'ID…': 'ids' },
      flags: { undo: 'take the mark back' },
      given: ({ undo }) => ({ isPaid: !undo }),
      missing: (marked, { body: { ids, isPaid } }) => {
        const isDone = (id: string) =>
          marked.some((order) => (order._id === id || order.number === id) && order.isPaid === isPaid);
        const others = ids.filter((id) => !isDone(id));
        return others.length > 0
          ? `Not ${isPaid ? 'due' : 'marked by hand'}: ${others.join(', ')}.`
          : undefined;
      },
      report: (marked, { body: { isPaid } }) =>
        `${counted(marked.length, 'order')} ${marked.length === 1 ? 'is' : 'are'} ${isPaid ? 'paid' : 'due'} now.`,
    },
  },
});
