/** The owner changes an order: its address, its note, its withdrawal or its refund. The audit trail has none of their texts. */
import { tidyAddress as tidyLines } from '../../../contract/delivery-address.ts';
import { DeskOrder, OrderNote, Settlement } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { AddressCorrection, OrderParams, Withdrawal } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { giveCopyBack } from '../../catalogue/copies.ts';
import { Problem } from '../../http/problems.ts';
import { goesBack, markRefund } from '../../payments/standing.ts';
import { changeAddress } from '../delivery-address.ts';
import { findDeskOrder, presentDeskOrder } from '../desk-orders.ts';
import { lockOrder } from '../orders.ts';
import { withdraw } from '../withdrawal.ts';

export const setAddress = act({
  method: 'PATCH',
  path: deskPaths.order,
  operationId: 'setAddress',
  summary: 'Changes where an order is sent',
  description:
    'The owner can do so until it is marked as sent or withdrawn: then `ALREADY_SENT` or `WITHDRAWN`.',
  scope: 'orders',
  input: { params: OrderParams, body: AddressCorrection },
  output: DeskOrder,
  problems: ['ORDER_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'ALREADY_SENT', 'WITHDRAWN'],
  run: ({ db, actor }, { params: { id }, body }) =>
    db.transaction().execute(async (db) => {
      const order = await lockOrder(db, id);
      const changed = await changeAddress(db, order, body.deliveryAddress);
      if (changed !== order) await recordActivity(db, 'order-address-set', actor, { subject: id });
      return presentDeskOrder(changed);
    }),
  commands: {
    'orders set-address': {
      purpose: 'Changes where an order is sent. TEXT has the lines; an empty one takes the address away.',
      operands: { ID: 'id', TEXT: 'deliveryAddress' },
      report: ({ number, deliveryAddress }) =>
        `The order ${number} has ${deliveryAddress ? 'its address' : 'no address'} now.`,
    },
  },
});

export const noteOrder = act({
  method: 'POST',
  path: deskPaths.orderNote,
  operationId: 'noteOrder',
  summary: 'Notes something about an order, for the owner alone',
  description: 'The note goes with the person when the customer is erased.',
  scope: 'orders',
  input: { params: OrderParams, body: OrderNote },
  output: DeskOrder,
  problems: ['ORDER_NOT_FOUND', 'CUSTOMER_NOT_FOUND'],
  run: ({ db, actor }, { params: { id }, body }) =>
    db.transaction().execute(async (db) => {
      const order = await lockOrder(db, id);
      // A request that began before the customer's erasure must not store new personal data.
      if (order.buyerEmail === '') throw new Problem('CUSTOMER_NOT_FOUND');
      const note = tidyLines(body.note);
      if (note === order.note) return presentDeskOrder(order);
      await db.updateTable('orders').set({ note }).where('id', '=', id).execute();
      await recordActivity(db, 'order-noted', actor, { subject: id, details: { isNoted: note !== null } });
      return presentDeskOrder({ ...order, note });
    }),
  commands: {
    'orders note': {
      purpose:
        'Notes something about an order, for the owner alone. TEXT has the lines; an empty one takes the note away.',
      operands: { ID: 'id', TEXT: 'note' },
      report: ({ number, note }) => `The order ${number} has ${note ? 'its note' : 'no note'} now.`,
    },
  },
});

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
