/** `shop customers`: the people behind an e-mail. It may belong to several, at different providers: a command acts on all. */

import { createInterface } from 'node:readline';
import type { DeskCustomer } from '../../contract/desk-customers.ts';
import { foldEmail } from '../../contract/email.ts';
import { commandActor } from '../../server/activity/activity.ts';
import {
  blockCustomer,
  findCustomers,
  findCustomersByEmail,
  signOutCustomer,
} from '../../server/customers/customers.ts';
import { eraseCustomer } from '../../server/customers/erase-customer.ts';
import { exportCustomer } from '../../server/customers/export-customer.ts';
import type { Database } from '../../server/database/open.ts';
import type { Db } from '../../server/database/tables.ts';
import { StartError } from '../../server/start-error.ts';
import { flag, readCommand, text } from '../options.ts';
import { counted } from './counted.ts';
import { printable } from './printable.ts';
import { UsageError } from './usage-error.ts';
import { withDatabase } from './with-database.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

const operands = ['EMAIL'];
const json = flag('print one JSON array, of one item for each customer');

/** @throws {StartError} when there is none. */
async function customersOf(db: Db, email = ''): Promise<DeskCustomer[]> {
  const customers = await findCustomersByEmail(db, email);
  if (customers.length === 0) throw new StartError(`No customer has the e-mail ${printable(email)}.`);
  return customers;
}

async function find(args: readonly string[]): Promise<void> {
  const { values, operands: words } = readCommand(
    'npm run shop -- customers find',
    'Finds the customers whose e-mail, name or last name begins with EMAIL, at most 50, or the one with this id.',
    { options: { json }, operands },
    args,
  );
  const customers = await withDatabase(({ deskDb }) => findCustomers(deskDb, words[0] ?? ''));
  if (values.json) {
    process.stdout.write(`${JSON.stringify(customers)}\n`);
    return;
  }
  if (customers.length === 0) {
    process.stderr.write(
      `No customer has an e-mail or a name that begins with ${printable(words[0] ?? '')}.\n`,
    );
  }
  for (const { _id, email, name, createdAt, isBlocked, orders, revenue } of customers) {
    const state = isBlocked ? 'blocked' : `since ${createdAt.slice(0, 10)}`;
    const columns = [_id, email, name, state, `${orders} orders`, revenue.toFixed(2)];
    process.stdout.write(`${columns.map(printable).join('  ')}\n`);
  }
}

async function exportAll(args: readonly string[]): Promise<void> {
  const { values, operands: words } = readCommand(
    'npm run shop -- customers export',
    'Prints everything that the store has about a customer: one JSON array, of one object for each customer of that e-mail.',
    { options: { to: text('write it to this file instead', 'file'), force }, operands },
    args,
  );
  const { to: file = '-' } = values;
  await withDatabase(async ({ db, deskDb }) => {
    const customers = await customersOf(db, words[0]);
    const parts = async function* () {
      for (const [index, { _id }] of customers.entries()) {
        yield index === 0 ? '[' : ',\n';
        yield* await exportCustomer({ db, readDb: deskDb }, _id, commandActor);
      }
      yield ']\n';
    };
    await writeParts(file, { isForced: values.force }, parts);
    reportExport(counted(customers.length, 'customer'), file);
  });
}

/**
 * A command that does something to each customer of an e-mail.
 * @param act returns the item of `--json`.
 * @param report says in a sentence what was done to all of them.
 */
function commandFor<Item>(
  verb: string,
  purpose: string,
  act: (database: Database, customer: DeskCustomer) => Promise<Item>,
  report: (items: readonly Item[]) => string,
) {
  return async (args: readonly string[]): Promise<void> => {
    const { values, operands: words } = readCommand(
      `npm run shop -- customers ${verb}`,
      purpose,
      { options: { json }, operands },
      args,
    );
    await toEach(words[0], values.json, { act, report });
  };
}

type Deed<Item> = {
  act: (database: Database, customer: DeskCustomer) => Promise<Item>;
  report: (items: readonly Item[]) => string;
  /** Called once, before the first one. */
  confirm?: (customers: readonly DeskCustomer[]) => Promise<void>;
};

async function toEach<Item>(
  email: string | undefined,
  isJson: boolean,
  { act, report, confirm }: Deed<Item>,
): Promise<void> {
  const items = await withDatabase(async (database) => {
    const customers = await customersOf(database.db, email);
    await confirm?.(customers);
    const done: Item[] = [];
    for (const customer of customers) done.push(await act(database, customer));
    return done;
  });
  process.stdout.write(isJson ? `${JSON.stringify(items)}\n` : `${report(items)}\n`);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

const block = (isBlocked: boolean) =>
  commandFor(
    isBlocked ? 'block' : 'unblock',
    isBlocked
      ? 'Ends every session of a customer, who may sign in no more.'
      : 'Lets a blocked customer sign in again.',
    ({ db }, { _id }) => blockCustomer(db, _id, { isBlocked }, commandActor),
    (customers) => `${isBlocked ? 'Blocked' : 'Unblocked'} ${counted(customers.length, 'customer')}.`,
  );

async function erase(args: readonly string[]): Promise<void> {
  const { values, operands: words } = readCommand(
    'npm run shop -- customers erase',
    'Removes the person for good, after asking for the e-mail again. The orders keep book, price and day.',
    { options: { yes: flag('erase without asking'), json }, operands },
    args,
  );
  const isAsked = !values.yes && !values.json;
  if (isAsked && !process.stdin.isTTY) {
    throw new UsageError('Nobody is there to confirm it: --yes erases without asking.');
  }
  await toEach(words[0], values.json, {
    async act({ db }, { _id }) {
      return { _id, orders: await eraseCustomer(db, _id, commandActor) };
    },
    report: (erased) =>
      `Erased ${counted(erased.length, 'customer')} with ${counted(sum(erased.map(({ orders }) => orders)), 'order')}.`,
    async confirm(customers) {
      warnOfUnsent(customers);
      if (isAsked) await askForEmail(customers);
    },
  });
}

const emailOf = ([customer]: readonly DeskCustomer[]): string => customer?.email ?? '';

function warnOfUnsent(customers: readonly DeskCustomer[]): void {
  const unsent = sum(customers.map(({ unsentOrders }) => unsentOrders));
  if (unsent === 0) return;
  process.stderr.write(
    `${counted(unsent, 'order')} ${unsent === 1 ? 'is' : 'are'} not sent yet, and will have no buyer: ` +
      `npm run shop -- orders list --state new --q ${printable(emailOf(customers))}\n`,
  );
}

/** @throws {StartError} when another e-mail is typed, or none. */
async function askForEmail(customers: readonly DeskCustomer[]): Promise<void> {
  const email = emailOf(customers);
  process.stderr.write(
    `This erases ${counted(customers.length, 'customer')} for good. Type the e-mail again to confirm: `,
  );
  const lines = createInterface({ input: process.stdin });
  // The end of the input is no answer.
  const typed = (await lines[Symbol.asyncIterator]().next()).value ?? '';
  lines.close();
  if (foldEmail(typed.trim()) !== foldEmail(email)) {
    throw new StartError('That is another e-mail: nobody was erased.');
  }
}

export const customerCommands = {
  'customers find': find,
  'customers export': exportAll,
  'customers erase': erase,
  'customers block': block(true),
  'customers unblock': block(false),
  'customers sign-out': commandFor(
    'sign-out',
    'Ends every session of a customer, in all browsers.',
    async ({ db }, { _id }) => ({ _id, sessions: await signOutCustomer(db, _id, commandActor) }),
    (ended) =>
      `Ended ${counted(sum(ended.map(({ sessions }) => sessions)), 'session')} of ${counted(ended.length, 'customer')}.`,
  ),
};
