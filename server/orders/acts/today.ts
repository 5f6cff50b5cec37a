import { OrderCountsQuery } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderCounts, Today } from '../../../contract/desk/today.ts';
import { act } from '../../access/act.ts';
import { timesOf } from '../../http/day-range.ts';
import * as today from '../today.ts';

export const readToday = act({
  method: 'GET',
  path: deskPaths.today,
  operationId: 'findToday',
  summary:
    'What waits for the owner, the sales of this week and of the same days of the last one, and the last ten orders',
  output: Today,
  run: ({ listDb: db, space, zone, outbox: { senders } }) =>
    today.findToday({ db, space }, { zone, sendsMail: senders.mail }),
});

export const countOrders = act({
  method: 'GET',
  path: deskPaths.orderCounts,
  operationId: 'countOrders',
  summary: 'Counts the orders of each state',
  scope: 'orders',
  input: { query: OrderCountsQuery },
  output: OrderCounts,
  run: ({ listDb, zone }, { query }) => today.countOrders(listDb, timesOf(query, zone)),
});
