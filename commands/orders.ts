/** `shop orders`: what was bought, and what was sent. */

import { counted } from '../contract/counted.ts';
import { maxAddressLength } from '../contract/delivery-address.ts';
import type { DeskOrder } from '../contract/desk/orders.ts';
import { formats } from '../contract/field-formats.ts';
import { maxPageSize } from '../contract/next-page.ts';
import { maxNoteLength } from '../contract/order-note.ts';
import { maxReasonLength } from '../contract/withdrawal.ts';
import { commandActor } from '../server/activity/activity.ts';
import { Problem } from '../server/http/problems.ts';
import { setAddress } from '../server/orders/delivery-address.ts';
import { listDeskOrders, markOrders } from '../server/orders/desk-orders.ts';
import { exportOrders } from '../server/orders/export-orders.ts';
import { noteOrder } from '../server/orders/order-history.ts';
import { settleOrder, withdrawForShop } from '../server/orders/withdrawal.ts';
import { readHasWebhook, readSendsMail } from '../server/settings/settings.ts';
import { StartError } from '../server/start-error.ts';
import { day, flag, OptionError, oneOf, text, wholeNumber } from '../tools/options.ts';
import { command, type Io } from './command.ts';
import { inDays } from './days.ts';
import { lineOf, printable, printJson, reportList } from './print.ts';
import { withDatabase } from './with-database.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

const state = oneOf('which orders', ['all', 'new', 'sent', 'withdrawn']);
const since = day('orders of this day and later');
const until = day('orders of this day and earlier');
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
    const { orders, isCut } = await inDays(io, { since, until }, (_days, times) =>
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

const orderLine = ({ _id, placedAt, state, price, title, author, buyer }: DeskOrder): string => {
  const amount = price.toFixed(2).padStart(9);
  const columns = [
    _id,
    placedAt,
    state.padEnd('withdrawn'.length),
    amount,
    title,
    author,
    buyer.name,
    buyer.email,
  ];
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
    await inDays(io, { since, until }, (_days, times) =>
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
      const hasEvents = readHasWebhook(io.env);
      const all = [];
      // Each part is done or not when the process dies, and doing it again does the rest.
      for (let from = 0; from < given.length; from += maxPageSize) {
        const ids = given.slice(from, from + maxPageSize);
        const marks = { ids, isSent: !undo, hasEvents };
        all.push(...(await markOrders(db, marks, commandActor).catch(explainOf(''))));
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
    checkLines('TEXT', given, maxAddressLength);
    const order = await withDatabase(io, ({ db }) =>
      setAddress(db, id, given, commandActor).catch(explainOf(id)),
    );
    if (json) printJson(io, order);
    else
      io.stderr.write(
        `The order ${printable(id)} has ${order.deliveryAddress ? 'its address' : 'no address'} now.\n`,
      );
  },
});

/** @throws {OptionError} */
function checkLines(name: string, text: string, maxLength: number): void {
  if (!formats['lines']?.check(text, '')) throw new OptionError(`${name} has control characters`);
  if (text.length > maxLength) throw new OptionError(`${name} is longer than ${maxLength} characters`);
}

const json = flag('print the order as JSON');

/** @throws {StartError} with the sentence of a problem. */
const explainOf = (id: string) => (error: unknown) => {
  if (!(error instanceof Problem)) throw error;
  throw new StartError(printable(error.detail ?? `${id}: ${error.message}`));
};

/** Prints the order, and a sentence about it for people. */
function report(io: Io, order: DeskOrder, json: boolean, sentence: string): void {
  if (json) printJson(io, order);
  else {
    io.stdout.write(orderLine(order));
    io.stderr.write(`${sentence}\n`);
  }
}

const note = command({
  purpose:
    'Notes something about an order, for the owner alone. TEXT has the lines; an empty one takes the note away.',
  options: { json },
  operands: ['ID', 'TEXT'],
  async run({ json }, io, [id = '', given = '']) {
    checkLines('TEXT', given, maxNoteLength);
    const order = await withDatabase(io, ({ db }) =>
      noteOrder(db, id, given, commandActor).catch(explainOf(id)),
    );
    report(io, order, json, `The order ${printable(id)} has ${order.note ? 'its note' : 'no note'} now.`);
  },
});

const withdraw = command({
  purpose: 'Withdraws an order for its buyer, or cancels one that is not sent. The buyer gets a mail.',
  options: { reason: text('for the buyer and the shop', 'text'), json },
  operands: ['ID'],
  async run({ reason = '', json }, io, [id = '']) {
    checkLines('--reason', reason, maxReasonLength);
    const order = await withDatabase(io, ({ db }) => {
      const withdrawal = { reason, sendsMail: readSendsMail(io.env), hasEvent: readHasWebhook(io.env) };
      return withdrawForShop(db, id, withdrawal, commandActor).catch(explainOf(id));
    });
    report(io, order, json, `Withdrawn at ${order.withdrawnAt}.`);
  },
});

const settle = (purpose: string, what: 'isRefunded' | 'isReturned') =>
  command({
    purpose,
    options: { undo: flag('take the mark back'), json },
    operands: ['ID'],
    async run({ undo, json }, io, [id = '']) {
      const order = await withDatabase(io, ({ db }) =>
        settleOrder(db, id, { [what]: !undo }, commandActor).catch(explainOf(id)),
      );
      const state = what === 'isRefunded' ? 'refunded' : 'returned';
      report(io, order, json, `It is ${undo ? 'not ' : ''}${state} now.`);
    },
  });

export const orderCommands = {
  'orders list': list,
  'orders export': exportFile,
  'orders mark-sent': markSent,
  'orders set-address': setOrderAddress,
  'orders note': note,
  'orders withdraw': withdraw,
  'orders mark-refunded': settle(
    'Notes that the buyer of a withdrawn order has the money back.',
    'isRefunded',
  ),
  'orders mark-returned': settle('Notes that the book of a withdrawn order came back.', 'isReturned'),
};
