import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { MarkedOrder, MarkOrders } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { tidyText } from '../../../contract/pasted-text.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { timeOrNull } from '../../database/times.ts';
import { Problem } from '../../http/problems.ts';
import { recordMessages, takeBackMessages } from '../../outbox/record.ts';
import { findUnpaid } from '../../payments/payments.ts';
import { lockOrders, type StoredOrder } from '../orders.ts';

export const markOrders = act({
  method: 'POST',
  path: deskPaths.ordersSent,
  operationId: 'markOrders',
  summary: 'Marks orders as sent, or takes the mark back',
  description:
    'Orders that are marked already keep their time. Buyers whose order has an address get a mail a minute later, unless the mark is ' +
    'taken back by then. The response has the orders that exist. When one of them is withdrawn, ' +
    'none is marked: `WITHDRAWN`. Nor is one marked as sent that is to be paid, and is not: `NOT_PAID`.',
  scope: 'orders',
  input: { body: MarkOrders },
  output: Type.Array(MarkedOrder),
  problems: ['CUSTOMER_NOT_FOUND', 'WITHDRAWN', 'NOT_PAID'],
  async run({ db, actor, outbox }, { body: { ids, isSent, tracking: given } }) {
    const tracking = (isSent && given && tidyText(given)) || null;
    const marked = await db.transaction().execute(async (db) => {
      const found = await lockOrders(db, ids);
      const orders = found.map((order) => ({ ...order, isChanged: (order.sentAt === null) === isSent }));
      const withdrawn = orders.filter(({ withdrawnAt }) => withdrawnAt !== null);
      // Then no order is marked, because the withdrawn order's parcel may be packed already.
      if (withdrawn.length > 0) throw new Problem('WITHDRAWN', { detail: detailOf(withdrawn, 'Withdrawn') });
      const unpaid = isSent ? await findUnpaid(db, ids) : new Set();
      const owed = orders.filter(({ id }) => unpaid.has(id));
      if (owed.length > 0) throw new Problem('NOT_PAID', { detail: detailOf(owed, 'Not paid') });
      // A request that began before the customer's erasure must not store new personal data.
      if (tracking && orders.some(({ buyerEmail }) => buyerEmail === ''))
        throw new Problem('CUSTOMER_NOT_FOUND');
      const isGiven = isSent && given !== undefined;
      const changed = orders.filter((order) => order.isChanged || (isGiven && order.tracking !== tracking));
      if (changed.length === 0) return orders;
      const at = Date.now();
      const changedIds = changed.map(({ id }) => id);
      await db
        .updateTable('orders')
        .set(({ fn, val }) => ({ sent_at: isSent ? fn.coalesce('sent_at', val(at)) : null, tracking }))
        .where('id', 'in', changedIds)
        .execute();
      // Buyers who collect their book get no mail.
      const messages = changed
        .filter(({ isChanged }) => isChanged)
        .map(({ id, deliveryAddress }) => {
          const { senders } = outbox;
          return { id, at, senders: { ...senders, mail: senders.mail && deliveryAddress !== null } };
        });
      if (isSent) await recordMessages(db, 'sent', messages);
      else await takeBackMessages(db, 'sent', changedIds);
      const subject = ids.length === 1 ? ids[0] : undefined;
      for (const what of [{ isSent }, { isTracking: true }]) {
        const orders = changed.filter(({ isChanged }) => isChanged === 'isSent' in what);
        if (orders.length === 0) continue;
        const details = { ...what, orders: orders.length, ids: orders.map(({ id }) => id).join(' ') };
        await recordActivity(db, 'orders-marked', actor, { ...(subject && { subject }), details });
      }
      const sentAt = isSent ? at : null;
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
  `No order was marked. ${why}: ${orders.map(({ number, title }) => `“${title}” (${number})`).join(', ')}.`;
