/** `shop orders`: what was bought, and what was sent. */

import type { DeskOrder } from '../../contract/desk-orders.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { commandActor } from '../../server/activity/activity.ts';
import { listDeskOrders, markOrders } from '../../server/orders/desk-orders.ts';
import { exportOrders } from '../../server/orders/export-orders.ts';
import { StartError } from '../../server/start-error.ts';
import { day, flag, oneOf, readCommand, readOptions, text, wholeNumber } from '../options.ts';
import { counted } from './counted.ts';
import { inDays } from './days.ts';
import { printable } from './printable.ts';
import { reportList } from './report-list.ts';
import { withDatabase } from './with-database.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

const state = oneOf('which orders', ['all', 'new', 'sent']);
const since = day('orders of this day (UTC) and later');
const until = day('orders of this day (UTC) and earlier');
const q = text('words of the buyer, the title or the author; or the id of an order', 'words');

async function list(args: readonly string[]): Promise<void> {
  const {
    json,
    limit,
    since: first,
    until: last,
    ...chosen
  } = readOptions(
    'npm run shop -- orders list',
    'Lists the orders of all customers, newest first.',
    {
      state,
      since,
      until,
      q,
      limit: wholeNumber('how many orders at most', 50, 1),
      json: flag('print one JSON array'),
    },
    args,
  );
  const { orders, isCut } = await inDays({ since: first, until: last }, (_days, times) =>
    withDatabase(async ({ deskDb }) => {
      const found: DeskOrder[] = [];
      let cursor: string | undefined;
      do {
        const pageLimit = Math.min(limit - found.length, maxPageSize);
        const page = await listDeskOrders(deskDb, { ...chosen, ...times }, { limit: pageLimit, cursor });
        found.push(...page.orders);
        cursor = page.nextCursor;
      } while (cursor !== undefined && found.length < limit);
      return { orders: found, isCut: cursor !== undefined };
    }),
  );
  process.stdout.write(json ? `${JSON.stringify(orders)}\n` : orders.map(lineOf).join(''));
  if (!json) reportList(orders.length, isCut, 'No order is listed.');
}

const lineOf = ({ _id, placedAt, sentAt, price, title, author, buyer }: DeskOrder): string => {
  const amount = price.toFixed(2).padStart(9);
  const columns = [_id, placedAt, sentAt ? 'sent' : 'new ', amount, title, author, buyer.name, buyer.email];
  return `${columns.map((column) => printable(column || '-')).join('  ')}\n`;
};

async function exportFile(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- orders export',
    'Writes the orders to a file, oldest first. FILE may be - for standard output.',
    {
      options: { state, since, until, q, format: oneOf('of the file', ['csv', 'jsonl']), force },
      operands: ['FILE'],
    },
    args,
  );
  const { format, force: isForced, since: first, until: last, ...chosen } = values;
  const [file = ''] = operands;
  let orders = 0;
  const onOrders = (count: number) => {
    orders += count;
  };
  await inDays({ since: first, until: last }, (_days, times) =>
    withDatabase(({ db, deskDb }) => {
      const options = { format, filter: { ...chosen, ...times }, onOrders };
      return writeParts(file, { isForced }, () =>
        exportOrders({ db, readDb: deskDb }, options, commandActor),
      );
    }),
  );
  reportExport(counted(orders, 'order'), file);
}

async function markSent(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- orders mark-sent',
    'Marks orders as sent. The same again changes nothing.',
    {
      options: { undo: flag('take the mark back'), json: flag('print one JSON array') },
      operands: ['ID…'],
    },
    args,
  );
  const marked = await withDatabase(async ({ db }) => {
    const all = [];
    // Each part is done or not when the process dies, and doing it again does the rest.
    for (let from = 0; from < operands.length; from += maxPageSize) {
      const ids = operands.slice(from, from + maxPageSize);
      all.push(...(await markOrders(db, { ids, isSent: !values.undo }, commandActor)));
    }
    return all;
  });
  if (values.json) process.stdout.write(`${JSON.stringify(marked)}\n`);
  else if (marked.length > 0) {
    const verb = marked.length === 1 ? 'is' : 'are';
    process.stderr.write(`${counted(marked.length, 'order')} ${verb} ${values.undo ? 'new' : 'sent'} now.\n`);
  }
  const known = new Set(marked.map(({ _id }) => _id));
  const unknown = operands.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new StartError(`There is no order ${unknown.map(printable).join(', ')}.`);
}

export const orderCommands = {
  'orders list': list,
  'orders export': exportFile,
  'orders mark-sent': markSent,
};
