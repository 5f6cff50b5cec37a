import { salesPeriods } from '../../contract/desk-sales.ts';
import { listSales } from '../../server/orders/sales.ts';
import { day, flag, oneOf, readOptions } from '../options.ts';
import { withDatabase } from './with-database.ts';

/** `shop sales`: orders and revenue, oldest first. */
export async function showSales(args: readonly string[]): Promise<void> {
  const { by, json, since } = readOptions(
    'npm run shop -- sales',
    'Lists orders and revenue, oldest first, of the last 30 days, 26 weeks or 24 months.',
    {
      by: oneOf('in UTC', [...salesPeriods]),
      since: day('from this day (UTC) on instead; its week or month is whole'),
      json: flag('print one JSON array'),
    },
    args,
  );
  const from = since?.toISOString().slice(0, 10);
  const sales = await withDatabase(({ deskDb }) => listSales(deskDb, { by, from }));
  if (json) {
    process.stdout.write(`${JSON.stringify(sales)}\n`);
    return;
  }
  for (const { from, orders, revenue } of sales) {
    process.stdout.write(`${from}  ${String(orders).padStart(9)}  ${revenue.toFixed(2).padStart(14)}\n`);
  }
}
