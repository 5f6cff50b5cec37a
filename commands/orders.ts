/** `shop orders`: what was bought, and what was sent. */

import { counted } from '../contract/counted.ts';
import { maxAddressLength } from '../contract/delivery-address.ts';
import type { DeskOrder } from '../contract/desk/orders.ts';
import { formats } from '../contract/field-formats.ts';
import { maxPageSize } from '../contract/next-page.ts';
import { commandActor } from '../server/activity/activity.ts';
import { Problem } from '../server/http/problems.ts';
import { setAddress } from '../server/orders/delivery-address.ts';
import { listDeskOrders, markOrders } from '../server/orders/desk-orders.ts';
import { exportOrders } from '../server/orders/export-orders.ts';
import { StartError } from '../server/start-error.ts';
import { day, flag, OptionError, oneOf, text, wholeNumber } from '../tools/options.ts';
import { command } from './command.ts';
import { inDays } from './days.ts';
import { lineOf, printable, printJson, reportList } from './print.ts';
import { withDatabase } from './with-database.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

const state = oneOf('which orders', ['all', 'new', 'sent']);
const since = day('orders of this day (UTC) and later');
const until = day('orders of this day (UTC) and earlier');
const q = text('words of the buyer, the title or the author; or the id of an order', 'words');

const list = command({
  purpose: 'Lists the orders of all customers, newest first.',
  options: {
    state,
    since,
    until,
    q,
    limit: wholeNumber('how many orders at most', 50, 1),
    json: flag('print one JSON array'),
  },
  async run({ json, limit, since, until, ...chosen }, io) {
    const { orders, isCut } = await inDays({ since, until }, (_days, times) =>
      withDatabase(io, async ({ deskDb }) => {
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
    if (json) {
      printJson(io, orders);
      return;
    }
    io.stdout.write(orders.map(orderLine).join(''));
    reportList(io, orders.length, isCut, 'No order is listed.');
  },
});

const orderLine = ({ _id, placedAt, sentAt, price, title, author, buyer }: DeskOrder): string => {
  const amount = price.toFixed(2).padStart(9);
  const columns = [_id, placedAt, sentAt ? 'sent' : 'new ', amount, title, author, buyer.name, buyer.email];
  return lineOf(columns.map((column) => column || '-'));
};

const exportFile = command({
  purpose: 'Writes the orders to a file, oldest first. FILE may be - for standard output.',
  options: { state, since, until, q, format: oneOf('of the file', ['csv', 'jsonl']), force },
  operands: ['FILE'],
  async run({ format, force: isForced, since, until, ...chosen }, io, [file = '']) {
    let orders = 0;
    const onOrders = (count: number) => {
      orders += count;
    };
    await inDays({ since, until }, (_days, times) =>
      withDatabase(io, ({ db, deskDb }) => {
        const options = { format, filter: { ...chosen, ...times }, onOrders };
        return writeParts(io, file, { isForced }, () =>
          exportOrders({ db, readDb: deskDb }, options, commandActor),
        );
      }),
    );
    reportExport(io, counted(orders, 'order'), file);
  },
});

const markSent = command({
  purpose: 'Marks orders as sent. The same again changes nothing.',
  options: { undo: flag('take the mark back'), json: flag('print one JSON array') },
  operands: ['ID…'],
  async run({ undo, json }, io, given) {
    const marked = await withDatabase(io, async ({ db }) => {
      const all = [];
      // Each part is done or not when the process dies, and doing it again does the rest.
      for (let from = 0; from < given.length; from += maxPageSize) {
        const ids = given.slice(from, from + maxPageSize);
        all.push(...(await markOrders(db, { ids, isSent: !undo }, commandActor)));
      }
      return all;
    });
    if (json) printJson(io, marked);
    else if (marked.length > 0) {
      const verb = marked.length === 1 ? 'is' : 'are';
      io.stderr.write(`${counted(marked.length, 'order')} ${verb} ${undo ? 'new' : 'sent'} now.\n`);
    }
    const known = new Set(marked.map(({ _id }) => _id));
    const unknown = given.filter((id) => !known.has(id));
    if (unknown.length > 0) throw new StartError(`There is no order ${unknown.map(printable).join(', ')}.`);
  },
});

const setOrderAddress = command({
  purpose: 'Changes where an order is sent. TEXT has the lines; an empty one takes the address away.',
  options: { json: flag('print the order as JSON') },
  operands: ['ID', 'TEXT'],
  async run({ json }, io, [id = '', given = '']) {
    if (!formats['lines']?.check(given, '')) throw new OptionError('TEXT has control characters');
    if (given.length > maxAddressLength) {
      throw new OptionError(`TEXT is longer than ${maxAddressLength} characters`);
    }
    const order = await withDatabase(io, ({ db }) =>
      setAddress(db, id, given, commandActor).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        throw new StartError(`${printable(id)}: ${error.message}`);
      }),
    );
    if (json) printJson(io, order);
    else
      io.stderr.write(
        `The order ${printable(id)} has ${order.deliveryAddress ? 'its address' : 'no address'} now.\n`,
      );
  },
});

export const orderCommands = {
  'orders list': list,
  'orders export': exportFile,
  'orders mark-sent': markSent,
  'orders set-address': setOrderAddress,
};
