import { Type } from 'typebox';
import { DeskOrder, DeskOrdersQuery, OrderWithHistory } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import { OrderParams } from '../../../contract/order.ts';
import type { Money } from '../../../contract/price.ts';
import { Answer, act } from '../../access/act.ts';
import { listHistory } from '../../activity/activity.ts';
import { timesOf } from '../../http/day-range.ts';
import { findDeskOrder, listDeskOrders, withCovers } from '../desk-orders.ts';

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
    const found = await findDeskOrder(listDb, params.id);
    const [order = found] = await withCovers(listDb, [found]);
    return { order, history: await listHistory(listDb, order._id, Date.parse(order.placedAt)) };
  },
});

export const listOrders = act({
  method: 'GET',
  path: deskPaths.orders,
  operationId: 'listDeskOrders',
  summary: 'Lists the orders of all customers, newest first',
  description:
    'When more orders may follow, `Link` names the next page. A page of a search may be short, or empty, although ' +
    'another one follows: the store reads a limited number of orders for each.',
  scope: 'orders',
  input: { query: DeskOrdersQuery },
  output: Type.Array(DeskOrder),
  async run({ listDb, zone }, { query: { limit = maxPageSize, cursor, from, to, ...filter } }) {
    const times = timesOf({ from, to }, zone);
    const { orders, nextCursor } = await listDeskOrders(listDb, { ...filter, ...times }, { limit, cursor });
    return new Answer(orders, { nextCursor });
  },
  commands: {
    'orders list': { line: orderLine, whenEmpty: 'No order is listed.' },
  },
});

function orderLine(order: DeskOrder, { format }: Money): string[] {
  const { _id, number, placedAt, state, payment, total, title, author, buyer } = order;
  // An order that is new is sent only when it is paid.
  const shown = state === 'new' && payment && payment.state !== 'paid' ? payment.state : state;
  const amount = format(total).padStart(9);
  const first = [_id, number, placedAt, shown.padEnd('withdrawn'.length), amount];
  return [...first, title, author, buyer.name, buyer.email].map((column) => column || '-');
}
