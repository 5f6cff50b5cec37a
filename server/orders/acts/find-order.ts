import { OrderWithHistory } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderParams } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { listHistory } from '../../activity/activity.ts';
import { findDeskOrder } from '../desk-orders.ts';

export const findOrder = act({
  method: 'GET',
  path: deskPaths.order,
  operationId: 'findOrder',
  summary: 'Finds an order, with what was done with it',
  scope: 'orders',
  input: { params: OrderParams },
  output: OrderWithHistory,
  problems: ['ORDER_NOT_FOUND'],
  async run({ listDb }, { params }) {
    const order = await findDeskOrder(listDb, params.id);
    return { order, history: await listHistory(listDb, order._id, Date.parse(order.placedAt)) };
  },
});
