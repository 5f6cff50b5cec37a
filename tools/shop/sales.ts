/** `shop sales`: what was sold. */

import { salesPeriods } from '../../contract/desk-sales.ts';
import { listBestSellers, listSales } from '../../server/orders/sales.ts';
import { day, flag, oneOf, readOptions, wholeNumber } from '../options.ts';
import { inDays } from './days.ts';
import { printable } from './printable.ts';
import { withDatabase } from './with-database.ts';

const json = flag('print one JSON array');

async function show(args: readonly string[]): Promise<void> {
  const {
    by,
    json: isJson,
    since,
    until,
  } = readOptions(
    'npm run shop -- sales',
    'Lists orders and revenue, oldest first, of the last 30 days, 26 weeks or 24 months. `sales best-sellers` lists books.',
    {
      by: oneOf('in UTC', [...salesPeriods]),
      since: day('from this day (UTC) on instead; its week or month is whole'),
      until: day('to this day (UTC) instead of today; its week or month is whole'),
      json,
    },
    args,
  );
  const sales = await inDays({ since, until }, (days) =>
    withDatabase(({ deskDb }) => listSales(deskDb, { by, ...days })),
  );
  if (isJson) {
    process.stdout.write(`${JSON.stringify(sales)}\n`);
    return;
  }
  for (const { from, orders, revenue } of sales) {
    process.stdout.write(`${from}  ${figures(orders, revenue)}\n`);
  }
}

async function showBestSellers(args: readonly string[]): Promise<void> {
  const {
    json: isJson,
    limit,
    since,
    until,
  } = readOptions(
    'npm run shop -- sales best-sellers',
    'Lists the books that were sold most, of the last 30 days.',
    {
      since: day('from this day (UTC) on instead'),
      until: day('to this day (UTC) instead of today'),
      limit: wholeNumber('how many books at most', 20, 1),
      json,
    },
    args,
  );
  const books = await inDays({ since, until }, (days) =>
    withDatabase(({ deskDb }) => listBestSellers(deskDb, { limit, ...days })),
  );
  if (isJson) {
    process.stdout.write(`${JSON.stringify(books)}\n`);
    return;
  }
  for (const { _id, title, author, orders, revenue } of books) {
    process.stdout.write(`${[_id, figures(orders, revenue), title, author].map(printable).join('  ')}\n`);
  }
}

const figures = (orders: number, revenue: number): string =>
  `${String(orders).padStart(9)}  ${revenue.toFixed(2).padStart(14)}`;

export const salesCommands = { sales: show, 'sales best-sellers': showBestSellers };
