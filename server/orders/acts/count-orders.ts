import { OrderCountsQuery } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderCounts } from '../../../contract/desk/today.ts';
import { act } from '../../access/act.ts';
import { timesOf } from '../../http/day-range.ts';
import { countOrders as count } from '../today.ts';

export const countOrders = act({
  method: 'GET',
  path: deskPaths.orderCounts,
  operationId: 'countOrders',
  summary: 'Counts the orders of each state',
  scope: 'orders',
  input: { query: OrderCountsQuery },
  output: OrderCounts,
  run: ({ listDb, zone }, { query }) => count(listDb, timesOf(query, zone)),
});
