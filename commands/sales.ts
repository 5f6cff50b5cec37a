/** `shop sales`: what was sold. */

import { salesPeriods } from '../contract/desk/sales.ts';
import { listBestSellers, listSales } from '../server/orders/sales.ts';
import { day, flag, oneOf, wholeNumber } from '../tools/options.ts';
import { command } from './command.ts';
import { inDays } from './days.ts';
import { lineOf, printJson, reportList } from './print.ts';
import { withDatabase } from './with-database.ts';

const json = flag('print one JSON array');

const show = command({
  purpose:
    'Lists orders and revenue, oldest first, of the last 30 days, 26 weeks or 24 months. `sales best-sellers` lists books.',
  options: {
    by: oneOf('in the shop’s zone', [...salesPeriods]),
    since: day('from this day on instead'),
    until: day('to this day instead of today'),
    json,
  },
  async run({ by, json, since, until }, io) {
    const sales = await inDays(io, { since, until }, (days, _times, zone) =>
      withDatabase(io, ({ deskDb }) => listSales(deskDb, { by, ...days }, { zone })),
    );
    if (json) {
      printJson(io, sales);
      return;
    }
    io.stdout.write(lineOf(['from'.padEnd('2026-11-21'.length), headings]));
    for (const { from, orders, revenue } of sales) io.stdout.write(lineOf([from, figures(orders, revenue)]));
  },
});

const showBestSellers = command({
  purpose: 'Lists the books that were sold most, of the last 30 days.',
  options: {
    since: day('from this day on instead'),
    until: day('to this day instead of today'),
    limit: wholeNumber('how many books at most', 20, 1),
    json,
  },
  async run({ json, limit, since, until }, io) {
    const books = await inDays(io, { since, until }, (days, _times, zone) =>
      withDatabase(io, ({ deskDb }) => listBestSellers(deskDb, { limit, ...days }, { zone })),
    );
    if (json) {
      printJson(io, books);
      return;
    }
    const width = Math.max(...books.map(({ _id }) => _id.length));
    if (books.length > 0) io.stdout.write(lineOf(['id'.padEnd(width), headings, 'title', 'author']));
    for (const { _id, title, author, orders, revenue } of books) {
      io.stdout.write(lineOf([_id.padEnd(width), figures(orders, revenue), title, author]));
    }
    reportList(io, books.length, false, 'No book was sold in these days.');
  },
});

const figures = (orders: number, revenue: number): string =>
  `${String(orders).padStart(9)}  ${revenue.toFixed(2).padStart(14)}`;

const headings = `${'orders'.padStart(9)}  ${'revenue'.padStart(14)}`;

export const salesCommands = { sales: show, 'sales best-sellers': showBestSellers };
