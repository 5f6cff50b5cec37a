import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { MarkedOrder, MarkOrders } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { timeOrNull } from '../../database/times.ts';
import { Problem } from '../../http/problems.ts';
import { recordMessages, takeBackEvents } from '../../outbox/record.ts';
import { findUnpaid } from '../../payments/payments.ts';
import { lockOrders, type StoredOrder } from '../orders.ts';

export const markOrders = act({
  method: 'POST',
  path: deskPaths.ordersSent,
  operationId: 'markOrders',
  summary: 'Marks orders as sent, or takes the mark back',
  description:
    'Orders that are marked already keep their time. The response has the orders that exist. When one of them is withdrawn, ' +
    'none is marked: `WITHDRAWN`. Nor is one marked as sent that is to be paid, and is not: `NOT_PAID`.',
  scope: 'orders',
  input: { body: MarkOrders },
  output: Type.Array(MarkedOrder),
  problems: ['WITHDRAWN', 'NOT_PAID'],
  async run({ db, actor, outbox }, { body: { ids, isSent } }) {
    const marked = await db.transaction().execute(async (db) => {
      const found = await lockOrders(db, ids);
      const orders = found.map((order) => ({ ...order, isChanged: (order.sentAt === null) === isSent }));
      const withdrawn = orders.filter(({ withdrawnAt }) => withdrawnAt !== null);
      // Then no order is marked, because the withdrawn order's parcel may be packed already.
      if (withdrawn.length > 0) throw new Problem('WITHDRAWN', { detail: detailOf(withdrawn, 'Withdrawn') });
      const unpaid = isSent ? await findUnpaid(db, ids) : new Set();
      const owed = orders.filter(({ id }) => unpaid.has(id));
      if (owed.length > 0) throw new Problem('NOT_PAID', { detail: detailOf(owed, 'Not paid') });
      const changed = orders.filter(({ isChanged }) => isChanged).map(({ id }) => id);
      if (changed.length === 0) return orders;
      const at = Date.now();
      const sentAt = isSent ? at : null;
      await db.updateTable('orders').set({ sent_at: sentAt }).where('id', 'in', changed).execute();
      const messages = changed.map((id) => ({ id, at, senders: outbox.senders }));
      if (isSent) await recordMessages(db, 'sent', messages);
      else await takeBackEvents(db, 'order.sent', changed);
      const details = { isSent, orders: changed.length, ids: ids.join(' ') };
      const subject = ids.length === 1 ? ids[0] : undefined;
      await recordActivity(db, 'orders-marked', actor, { ...(subject && { subject }), details });
      return orders.map((order) => (order.isChanged ? { ...order, sentAt } : order));
    });
    outbox.wake();
    return marked.map(({ id, sentAt, addressCorrectedAt, isChanged }) => ({
      _id: id,
      sentAt: timeOrNull(sentAt),
      addressCorrectedAt: timeOrNull(addressCorrectedAt),
      isChanged,
    }));
  },
  commands: {
    'orders mark-sent': {
      operands: { 'ID…': 'ids' },
      flags: { undo: 'take the mark back' },
      given: ({ undo }) => ({ isSent: !undo }),
      missing: (marked, { body }) => {
        const unknown = body.ids.filter((id) => !marked.some(({ _id }) => _id === id));
        return unknown.length > 0 ? `There is no order ${unknown.join(', ')}.` : undefined;
      },
      report: (marked, { body }) =>
        `${counted(marked.length, 'order')} ${marked.length === 1 ? 'is' : 'are'} ${body.isSent ? 'sent' : 'new'} now.`,
    },
  },
});

const detailOf = (orders: readonly StoredOrder[], why: string): string =>
  `No order was marked. ${why}: ${orders.map(({ id, title }) => `“${title}” (${id})`).join(', ')}.`;
