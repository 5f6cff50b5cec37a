import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { MarkedOrder, MarkOrders } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { engineOf } from '../../database/engine.ts';
import { timeOrNull } from '../../database/times.ts';
import { Problem } from '../../http/problems.ts';
import { recordMessages, takeBackEvents } from '../../outbox/record.ts';

export const markOrders = act({
  method: 'POST',
  path: deskPaths.ordersSent,
  operationId: 'markOrders',
  summary: 'Marks orders as sent, or takes the mark back',
  description:
    'Orders that are marked already keep their time. The response has the orders that exist. When one of them is withdrawn, ' +
    'none is marked: `WITHDRAWN`.',
  scope: 'orders',
  input: { body: MarkOrders },
  output: Type.Array(MarkedOrder),
  problems: ['WITHDRAWN'],
  async run({ db, actor, outbox }, { body: { ids, isSent } }) {
    const marked = await db.transaction().execute(async (db) => {
      // In the same order in every call: otherwise two calls could deadlock.
      const toChange = db
        .selectFrom('orders')
        .select('id')
        .where('id', 'in', ids)
        .where('sent_at', isSent ? 'is' : 'is not', null)
        .where('withdrawn_at', 'is', null)
        .orderBy('id');
      const now = Date.now();
      const changed = await db
        .updateTable('orders')
        .set({ sent_at: isSent ? now : null })
        .where('id', 'in', engineOf(db).lockedInOrder(toChange))
        .returning('id')
        .execute();
      const { senders } = outbox;
      const told = changed.map(({ id }) => ({ id, at: now, senders }));
      if (isSent) await recordMessages(db, 'sent', told);
      else await takeBackEvents(db, 'order.sent', ids);
      if (changed.length > 0) {
        const details = { isSent, orders: changed.length, ids: ids.join(' ') };
        const subject = ids.length === 1 ? ids[0] : undefined;
        await recordActivity(db, 'orders-marked', actor, { ...(subject && { subject }), details });
      }
      const orders = await db
        .selectFrom('orders')
        .select(['id', 'title', 'sent_at', 'withdrawn_at', 'address_corrected_at'])
        .where('id', 'in', ids)
        .orderBy('id')
        .execute();
      const withdrawn = orders.filter(({ withdrawn_at }) => withdrawn_at !== null);
      // None is marked then, because its parcel may be packed.
      if (withdrawn.length > 0) throw new Problem('WITHDRAWN', { detail: withdrawnNames(withdrawn) });
      return orders;
    });
    outbox.wake();
    return marked.map(({ id, sent_at, address_corrected_at }) => ({
      _id: id,
      sentAt: timeOrNull(sent_at),
      addressCorrectedAt: timeOrNull(address_corrected_at),
    }));
  },
  commands: {
    'orders mark-sent': {
      operands: { 'ID…': 'ids' },
      flags: { undo: 'take the mark back' },
      given: ({ undo }) => ({ isSent: !undo }),
      missing: (marked, { body }) => {
        const known = new Set(marked.map(({ _id }) => _id));
        const unknown = body.ids.filter((id) => !known.has(id));
        return unknown.length > 0 ? `There is no order ${unknown.join(', ')}.` : undefined;
      },
      report: (marked, { body }) =>
        `${counted(marked.length, 'order')} ${marked.length === 1 ? 'is' : 'are'} ${body.isSent ? 'sent' : 'new'} now.`,
    },
  },
});

const maxNamed = 5;

const withdrawnNames = (orders: readonly { id: string; title: string }[]): string => {
  const named = orders.slice(0, maxNamed).map(({ id, title }) => `“${title}” (${id})`);
  const rest = orders.length - named.length;
  return `No order was marked. Withdrawn: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
};
