/** `shop customers`: the people behind an e-mail. It may belong to several, at different providers: a command acts on all. */

import { createInterface } from 'node:readline';
import { counted } from '../contract/counted.ts';
import type { DeskCustomer } from '../contract/desk/customers.ts';
import { foldEmail } from '../contract/email.ts';
import { withoutUnseen } from '../contract/pasted-text.ts';
import { commandActor } from '../server/activity/activity.ts';
import {
  blockCustomer,
  findCustomers,
  findCustomersByEmail,
  signOutCustomer,
} from '../server/customers/customers.ts';
import { eraseCustomer } from '../server/customers/erase-customer.ts';
import { exportCustomer } from '../server/customers/export-customer.ts';
import type { Database } from '../server/database/open.ts';
import type { Db } from '../server/database/tables.ts';
import { StartError } from '../server/start-error.ts';
import { flag, text } from '../tools/options.ts';
import { command, type Io } from './command.ts';
import { lineOf, printable, printJson } from './print.ts';
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

const find = command({
  purpose:
    'Finds the customers whose e-mail, name or last name begins with EMAIL, at most 50, or the one with this id.',
  options: { json },
  operands,
  async run({ json }, io, [words = '']) {
    const customers = await withDatabase(io, ({ deskDb }) => findCustomers(deskDb, words));
    if (json) {
      printJson(io, customers);
      return;
    }
    if (customers.length === 0) {
      io.stderr.write(`No customer has an e-mail or a name that begins with ${printable(words)}.\n`);
    }
    for (const { _id, email, name, createdAt, isBlocked, orders, revenue } of customers) {
      const state = isBlocked ? 'blocked' : `since ${createdAt.slice(0, 10)}`;
      io.stdout.write(lineOf([_id, email, name, state, counted(orders, 'order'), revenue.toFixed(2)]));
    }
  },
});

const exportAll = command({
  purpose:
    'Prints everything that the store has about a customer: one JSON array, of one object for each customer of that e-mail.',
  options: { to: text('write it to this file instead', 'file'), force },
  operands,
  async run({ to: file = '-', force: isForced }, io, [email]) {
    await withDatabase(io, async ({ db, deskDb }) => {
      const customers = await customersOf(db, email);
      const parts = async function* () {
        for (const [index, { _id }] of customers.entries()) {
          yield index === 0 ? '[' : ',\n';
          yield* await exportCustomer({ db, readDb: deskDb }, _id, commandActor);
        }
        yield ']\n';
      };
      await writeParts(io, file, { isForced }, parts);
      reportExport(io, counted(customers.length, 'customer'), file);
    });
  },
});

/** An action on each customer of an e-mail. */
type Deed<Item> = {
  /** @returns the item of `--json`. */
  act: (database: Database, customer: DeskCustomer) => Promise<Item>;
  /** @returns a sentence about all of them. */
  report: (items: readonly Item[]) => string;
  /** Called once, before the first one. */
  confirm?: (customers: readonly DeskCustomer[]) => Promise<void>;
};

async function toEach<Item>(
  email: string | undefined,
  { act, report, confirm }: Deed<Item>,
  { io, json }: { io: Io; json: boolean },
): Promise<void> {
  const items = await withDatabase(io, async (database) => {
    const customers = await customersOf(database.db, email);
    await confirm?.(customers);
    const done: Item[] = [];
    for (const customer of customers) done.push(await act(database, customer));
    return done;
  });
  if (json) printJson(io, items);
  else io.stdout.write(`${report(items)}\n`);
}

const commandFor = <Item>(purpose: string, deed: Deed<Item>) =>
  command({
    purpose,
    options: { json },
    operands,
    run: ({ json }, io, [email]) => toEach(email, deed, { io, json }),
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

const block = (isBlocked: boolean) =>
  commandFor(
    isBlocked
      ? 'Ends every session of a customer, who may sign in no more.'
      : 'Lets a blocked customer sign in again.',
    {
      act: ({ db }, { _id }) => blockCustomer(db, _id, { isBlocked }, commandActor),
      report: (customers) =>
        `${isBlocked ? 'Blocked' : 'Unblocked'} ${counted(customers.length, 'customer')}.`,
    },
  );

const signOut = commandFor('Ends every session of a customer, in all browsers.', {
  act: async ({ db }, { _id }) => ({ _id, sessions: await signOutCustomer(db, _id, commandActor) }),
  report: (ended) =>
    `Ended ${counted(sum(ended.map(({ sessions }) => sessions)), 'session')} of ${counted(ended.length, 'customer')}.`,
});

const erase = command({
  purpose:
    'Removes the person for good, after asking for the e-mail again. The orders keep book, price and day.',
  options: { yes: flag('erase without asking'), json },
  operands,
  async run({ yes, json }, io, [email]) {
    const isAsked = !yes && !json;
    if (isAsked && !io.stdin.isTTY) {
      throw new UsageError('Nobody is there to confirm it: --yes erases without asking.');
    }
    const deed: Deed<{ _id: string; orders: number }> = {
      async act({ db }, { _id }) {
        return { _id, orders: await eraseCustomer(db, _id, commandActor) };
      },
      report: (erased) =>
        `Erased ${counted(erased.length, 'customer')} with ${counted(sum(erased.map(({ orders }) => orders)), 'order')}.`,
      async confirm(customers) {
        warnOfUnsent(io, customers);
        if (isAsked) await askForEmail(io, customers);
      },
    };
    await toEach(email, deed, { io, json });
  },
});

const emailOf = ([customer]: readonly DeskCustomer[]): string => customer?.email ?? '';

function warnOfUnsent({ stderr }: Io, customers: readonly DeskCustomer[]): void {
  const unsent = sum(customers.map(({ unsentOrders }) => unsentOrders));
  if (unsent === 0) return;
  stderr.write(
    `${counted(unsent, 'order')} ${unsent === 1 ? 'is' : 'are'} not sent yet, and will have no buyer: ` +
      `npm run shop -- orders list --state new --q ${printable(emailOf(customers))}\n`,
  );
}

/** @throws {StartError} when another e-mail is typed, or none. */
async function askForEmail({ stdin, stderr }: Io, customers: readonly DeskCustomer[]): Promise<void> {
  const email = emailOf(customers);
  stderr.write(
    `This erases ${counted(customers.length, 'customer')} for good. Type the e-mail again to confirm: `,
  );
  const lines = createInterface({ input: stdin });
  // The end of the input is no answer.
  const typed = (await lines[Symbol.asyncIterator]().next()).value ?? '';
  lines.close();
  if (foldEmail(withoutUnseen(typed)) !== foldEmail(email)) {
    throw new StartError('That is another e-mail: nobody was erased.');
  }
}

export const customerCommands = {
  'customers find': find,
  'customers export': exportAll,
  'customers erase': erase,
  'customers block': block(true),
  'customers unblock': block(false),
  'customers sign-out': signOut,
};
