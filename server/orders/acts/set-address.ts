import { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { AddressCorrection, OrderParams } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { changeAddress } from '../delivery-address.ts';
import { presentDeskOrder } from '../desk-orders.ts';
import { lockOrder } from '../orders.ts';

export const setAddress = act({
  method: 'PATCH',
  path: deskPaths.order,
  operationId: 'setAddress',
  summary: 'Changes where an order is sent',
  description: 'Until it is marked as sent or withdrawn: then `ALREADY_SENT` or `WITHDRAWN`.',
  scope: 'orders',
  input: { params: OrderParams, body: AddressCorrection },
  output: DeskOrder,
  problems: ['ORDER_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'ALREADY_SENT', 'WITHDRAWN'],
  run: ({ db, actor }, { params: { id }, body }) =>
    db.transaction().execute(async (db) => {
      const order = await lockOrder(db, id);
      const changed = await changeAddress(db, order, body.deliveryAddress);
      // The audit trail has the order, and not the address.
      if (changed !== order) await recordActivity(db, 'order-address-set', actor, { subject: id });
      return presentDeskOrder(changed);
    }),
  commands: {
    'orders set-address': {
      purpose: 'Changes where an order is sent. TEXT has the lines; an empty one takes the address away.',
      operands: { ID: 'id', TEXT: 'deliveryAddress' },
      report: ({ _id, deliveryAddress }) =>
        `The order ${_id} has ${deliveryAddress ? 'its address' : 'no address'} now.`,
    },
  },
});
