/** `shop customers`: the people behind an e-mail. It may belong to several, at different providers: a command acts on all. */

import type { DeskCustomer } from '../../contract/desk-customers.ts';
import { commandActor } from '../../server/activity/activity.ts';
import { blockCustomer, findCustomersByEmail, signOutCustomer } from '../../server/customers/customers.ts';
import { eraseCustomer } from '../../server/customers/erase-customer.ts';
import { exportCustomer } from '../../server/customers/export-customer.ts';
import type { Database } from '../../server/database/open.ts';
import type { Db } from '../../server/database/tables.ts';
import { StartError } from '../../server/start-error.ts';
import { flag, readCommand, text } from '../options.ts';
import { printable } from './printable.ts';
import { withDatabase } from './with-database.ts';
import { writeParts } from './write-parts.ts';

const operands = ['EMAIL'];
const json = flag('print one JSON array, of one item for each customer');

/** @throws {StartError} when there is none. */
async function customersOf(db: Db, email = ''): Promise<DeskCustomer[]> {
  const customers = await findCustomersByEmail(db, email, { isStart: false });
  if (customers.length === 0) throw new StartError(`No customer has the e-mail ${printable(email)}.`);
  return customers;
}

async function find(args: readonly string[]): Promise<void> {
  const { values, operands: words } = readCommand(
    'npm run shop -- customers find',
    'Finds the customers whose e-mail begins with EMAIL, at most 50.',
    { options: { json }, operands },
    args,
  );
  const customers = await withDatabase(({ deskDb }) =>
    findCustomersByEmail(deskDb, words[0] ?? '', { isStart: true }),
  );
  if (values.json) {
    process.stdout.write(`${JSON.stringify(customers)}\n`);
    return;
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
    { options: { to: text('write it to this file instead', 'file') }, operands },
    args,
  );
  await withDatabase(async ({ db, deskDb }) => {
    const customers = await customersOf(db, words[0]);
    const parts = async function* () {
      for (const [index, { _id }] of customers.entries()) {
        yield index === 0 ? '[' : ',\n';
        yield* await exportCustomer({ db, readDb: deskDb }, _id, commandActor);
      }
      yield ']\n';
    };
    await writeParts(values.to ?? '-', parts());
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
    const items = await withDatabase(async (database) => {
      const done: Item[] = [];
      for (const customer of await customersOf(database.db, words[0])) {
        done.push(await act(database, customer));
      }
      return done;
    });
    process.stdout.write(values.json ? `${JSON.stringify(items)}\n` : `${report(items)}\n`);
  };
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

const block = (isBlocked: boolean) =>
  commandFor(
    isBlocked ? 'block' : 'unblock',
    isBlocked
      ? 'Ends every session of a customer, who may sign in no more.'
      : 'Lets a blocked customer sign in again.',
    ({ db }, { _id }) => blockCustomer(db, _id, { isBlocked }, commandActor),
    (customers) => `${isBlocked ? 'Blocked' : 'Unblocked'} ${count(customers.length, 'customer')}.`,
  );

export const customerCommands = {
  'customers find': find,
  'customers export': exportAll,
  'customers erase': commandFor(
    'erase',
    'Removes the person for good. The orders keep book, price and day.',
    async ({ db }, { _id }) => ({ _id, orders: await eraseCustomer(db, _id, commandActor) }),
    (erased) =>
      `Erased ${count(erased.length, 'customer')} with ${count(sum(erased.map(({ orders }) => orders)), 'order')}.`,
  ),
  'customers block': block(true),
  'customers unblock': block(false),
  'customers sign-out': commandFor(
    'sign-out',
    'Ends every session of a customer, in all browsers.',
    async ({ db }, { _id }) => ({ _id, sessions: await signOutCustomer(db, _id, commandActor) }),
    (ended) =>
      `Ended ${count(sum(ended.map(({ sessions }) => sessions)), 'session')} of ${count(ended.length, 'customer')}.`,
  ),
};
