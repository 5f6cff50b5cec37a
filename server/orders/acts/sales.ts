import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { BestSeller, Sales, SalesQuery } from '../../../contract/desk/sales.ts';
import { Day } from '../../../contract/field-formats.ts';
import type { Money } from '../../../contract/price.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act, fileAct } from '../../access/act.ts';
import { csvLine } from '../../exports/csv-line.ts';
import * as sales from '../sales.ts';

const headings = ['orders'.padStart(9), 'revenue'.padStart(14)];
const figures = (orders: number, revenue: number, { format }: Money): string[] => [
  String(orders).padStart(9),
  format(revenue).padStart(14),
];

export const listSales = act({
  method: 'GET',
  path: deskPaths.sales,
  operationId: 'listSales',
  summary: 'Orders, revenue and delivery by day, week or month, oldest first',
  description: 'Without withdrawn and cancelled orders. Periods without an order are in the list too.',
  scope: 'orders',
  input: { query: SalesQuery },
  output: Type.Array(Sales),
  run: ({ listDb, zone }, { query: { by = 'day', ...days } }) =>
    sales.listSales(listDb, { by, ...days }, { zone }),
  commands: {
    sales: {
      purpose:
        'Lists orders, revenue and delivery, oldest first, of the last 30 days, 26 weeks or 24 months. `sales best-sellers` lists books.',
      head: ['from'.padEnd('2026-11-21'.length), ...headings, 'delivery'.padStart(14)],
      line: ({ from, orders, revenue, delivery }, money) => [
        ...[from, ...figures(orders, revenue, money)],
        money.format(delivery).padStart(14),
      ],
    },
  },
});

export const exportSales = fileAct({
  method: 'GET',
  path: deskPaths.salesExport,
  operationId: 'exportSales',
  summary: 'Orders, revenue and delivery by day, week or month as a CSV file, oldest first',
  description: 'CSV as RFC 4180 defines it, in UTF-8 with a byte order mark.',
  scope: 'orders',
  input: { query: SalesQuery },
  files: { 'text/csv': Type.Any() },
  async run({ listDb, zone, money }, { query: { by = 'day', from, to } }) {
    // The days are checked before the response begins, because they may be wrong.
    const rows = await sales.listSales(listDb, { by, from, to }, { zone });
    const cells = rows.map((row) => [
      row.from,
      row.to,
      String(row.orders),
      money.write(row.revenue),
      money.write(row.delivery),
    ]);
    const lines = [['from', 'to', 'orders', 'revenue', 'delivery'], ...cells].map(csvLine);
    return {
      name: ['sales', 'by', by, ...(from ? ['from', from] : []), ...(to ? ['to', to] : [])],
      ending: 'csv',
      type: 'text/csv; charset=utf-8',
      read: async () => ['\uFEFF', ...lines],
    };
  },
});

export const listBestSellers = act({
  method: 'GET',
  path: deskPaths.bestSellers,
  operationId: 'listBestSellers',
  summary: 'The books that were sold most',
  description: 'The books with most orders come first. Withdrawn and cancelled orders do not count.',
  scope: 'orders',
  input: {
    query: Type.Object({
      from: Type.Optional(Day('The first day, by default 29 days before the last one.')),
      to: Type.Optional(Day('The last day, by default today.')),
      limit: Part.PageLimit(20),
    }),
  },
  output: Type.Array(BestSeller),
  run: ({ listDb, zone }, { query: { limit = 20, ...days } }) =>
    sales.listBestSellers(listDb, { limit, ...days }, { zone }),
  commands: {
    'sales best-sellers': {
      limit: 20,
      head: ['id'.padEnd(36), ...headings, 'title', 'author'],
      line: ({ _id, title, author, orders, revenue }, money) => [
        ...[_id, ...figures(orders, revenue, money)],
        ...[title, author],
      ],
      whenEmpty: 'No book was sold in these days.',
    },
  },
});
