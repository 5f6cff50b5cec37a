import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { Sales, SalesQuery } from '../../../contract/desk/sales.ts';
import { act } from '../../access/act.ts';
import { listSales as list } from '../sales.ts';

/** Columns of a terminal. */
export const headings = ['orders'.padStart(9), 'revenue'.padStart(14)];
export const figures = (orders: number, revenue: number): string[] => [
  String(orders).padStart(9),
  revenue.toFixed(2).padStart(14),
];

export const listSales = act({
  method: 'GET',
  path: deskPaths.sales,
  operationId: 'listSales',
  summary: 'Orders and revenue by day, week or month, oldest first',
  description: 'Without withdrawn orders. Periods without an order are in the list too.',
  scope: 'orders',
  input: { query: SalesQuery },
  output: Type.Array(Sales),
  run: ({ listDb, zone }, { query: { by = 'day', ...days } }) => list(listDb, { by, ...days }, { zone }),
  commands: {
    sales: {
      purpose:
        'Lists orders and revenue, oldest first, of the last 30 days, 26 weeks or 24 months. `sales best-sellers` lists books.',
      head: ['from'.padEnd('2026-11-21'.length), ...headings],
      line: ({ from, orders, revenue }) => [from, ...figures(orders, revenue)],
    },
  },
});
