import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { maxBankFileBytes } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { BankFile, BankImport, MarkedPaid, MarkPaid } from '../../../contract/desk/payments.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { lockOrders } from '../../orders/orders.ts';
import { takeBackMessages } from '../../outbox/record.ts';
import { changePayment } from '../standing.ts';
import { importBankFile, markPaid, takeMarkBack } from '../transfers.ts';

export const markOrdersPaid = act({
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
  async run({ db, actor, outbox: { senders, wake } }, { body: { ids, isPaid } }) {
    const marked = await db.transaction().execute(async (db) => {
      const named = db
        .selectFrom('payments')
        .select('order_id')
        .where(({ or, eb }) => or([eb('order_id', 'in', ids), eb('reference', 'in', ids)]));
      const found = (await named.execute()).map(({ order_id }) => order_id);
      if (found.length === 0) return [];
      const rows: MarkedPaid[] = [];
      for (const { id: _id, number, sentAt, paymentState } of await lockOrders(db, found)) {
        const change = isPaid ? markPaid : sentAt === null ? takeMarkBack : () => undefined;
        const changed = await changePayment(db, number, senders, change);
        const state = changed?.payment.state ?? paymentState;
        rows.push({ _id, number, isPaid: state === 'paid', isChanged: changed !== undefined });
      }
      const changed = rows.flatMap(({ _id, isChanged }) => (isChanged ? [_id] : []));
      const [first] = changed;
      if (!first) return rows;
      if (!isPaid) await takeBackMessages(db, 'paid', changed);
      const details = { isPaid, orders: changed.length, ids: changed.join(' ') };
      const subject = changed.length === 1 && { subject: first };
      await recordActivity(db, 'orders-marked', actor, { ...subject, details });
      return rows;
    });
    wake();
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
        const done = marked.flatMap((order) => (order.isPaid === isPaid ? [order._id, order.number] : []));
        const others = ids.filter((id) => !done.includes(id));
        if (others.length === 0) return undefined;
        return `Not ${isPaid ? 'due' : 'marked by hand'}: ${others.join(', ')}.`;
      },
      report: (marked, { body: { isPaid } }) =>
        `${counted(marked.length, 'order')} ${marked.length === 1 ? 'is' : 'are'} ${isPaid ? 'paid' : 'due'} now.`,
    },
  },
});

export const importPayments = act({
  method: 'POST',
  path: deskPaths.paymentsImport,
  operationId: 'importPayments',
  summary: 'Marks the orders as paid that a bank’s file has a transfer for',
  description:
    'A statement in the format CAMT.053, or CSV whose heads are German or English. An order is marked if a booked credit in the shop’s ' +
    'currency names its number and has its total. Everything else is listed. The same entry again changes nothing.',
  scope: 'orders',
  input: { body: BankFile },
  bodyLimit: maxBankFileBytes * 1.4,
  isOneAtATime: true,
  output: BankImport,
  problems: ['BANK_FILE_UNREADABLE', 'BODY_TOO_LARGE', 'BUSY'],
  async run({ db, money, actor, outbox }, { body: { file } }) {
    const result = await importBankFile(db, Buffer.from(file, 'base64'), { money, senders: outbox.senders });
    const { marked, known, leftCount: left } = result;
    await recordActivity(db, 'payments-imported', actor, { details: { marked, known, left } });
    outbox.wake();
    return result;
  },
  commands: {
    'payments import': {
      purpose:
        'Marks the orders as paid that a bank’s file has a transfer for: CAMT.053, or CSV. The same file again changes nothing.',
      operands: { FILE: 'file' },
      reads: { member: 'file', as: 'base64' },
      report: ({ marked, known, left, leftCount }) => [
        ...left.map(({ day, amount, currency, text, reason }) =>
          [day, `${amount.toFixed(2)} ${currency}`, reason, text].join('  '),
        ),
        `${counted(marked, 'order')} paid, ${known} known, ${leftCount} left`,
      ],
    },
  },
});
