/** The owner changes the address or the note of an order. The audit trail names the order, without either text. */

import { tidyAddress as tidyLines } from '../../../contract/delivery-address.ts';
import { DeskOrder, OrderNote } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { AddressCorrection, OrderParams } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { Problem } from '../../http/problems.ts';
import { changeAddress } from '../delivery-address.ts';
import { presentDeskOrder } from '../desk-orders.ts';
import { lockOrder } from '../orders.ts';

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
