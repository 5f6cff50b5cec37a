/** `shop customers`: the people behind an e-mail. It may belong to several, at different providers: a command acts on all. */

import { createInterface } from 'node:readline';
import { counted } from '../contract/counted.ts';
import type { DeskCustomer } from '../contract/desk/customers.ts';
import { foldEmail } from '../contract/email.ts';
import { withoutUnseen } from '../contract/pasted-text.ts';
import type { Shop } from '../server/access/act.ts';
import { type Actor, commandActor } from '../server/activity/activity.ts';
import { blockCustomer, unblockCustomer } from '../server/customers/acts/block-customer.ts';
import { eraseCustomer } from '../server/customers/acts/erase-customer.ts';
import { exportCustomer } from '../server/customers/acts/export-customer.ts';
import { signOutCustomer } from '../server/customers/acts/sign-out-customer.ts';
import { findCustomersByEmail } from '../server/customers/customers.ts';
import { StartError } from '../server/start-error.ts';
import { flag, text } from '../tools/options.ts';
import { withShop } from './act-command.ts';
import { command, type Io, UsageError } from './command.ts';
import { printable, printJson } from './print.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

const operands = ['EMAIL'];
const json = flag('print one JSON array, of one item for each customer');

type Work = Shop & { actor: Actor };

/** @throws {StartError} if no customer has the e-mail. */
const withCustomers = <Result>(
  io: Io,
  email = '',
  work: (shop: Work, customers: readonly DeskCustomer[]) => Promise<Result>,
): Promise<Result> =>
  withShop(io, async (shop) => {
    const customers = await findCustomersByEmail(shop.db, email);
    if (customers.length === 0) throw new StartError(`No customer has the e-mail ${printable(email)}.`);
    return await work({ ...shop, actor: commandActor }, customers);
  });

const asked = ({ _id: id }: DeskCustomer) => ({ params: { id }, query: {}, body: {} });

const exportAll = command({
  purpose:
    'Prints everything that the store has about a customer: one JSON array, of one object for each customer of that e-mail.',
  options: { to: text('write it to this file instead', 'file'), force },
  operands,
  async run({ to: file = '-', force: isForced }, io, [email]) {
    await withCustomers(io, email, async (shop, customers) => {
      await writeParts(io, file, { isForced }, async function* () {
        for (const [index, customer] of customers.entries()) {
          yield index === 0 ? '[' : ',\n';
          yield* await (await exportCustomer.run(shop, asked(customer))).read();
        }
        yield ']\n';
      });
      reportExport(io, counted(customers.length, 'customer'), file);
    });
  },
});

type Deed = {
  /** An act on each customer of an e-mail. @returns the item of `--json`. */
  act: { run(shop: Work, asked: { params: { id: string }; query: object; body: object }): Promise<object> };
  /** @returns a sentence about all of them. @param sum of a member of the items. */
  report(customers: string, sum: (name: string) => number): string;
  /** Called once, before the first one. */
  confirm?(customers: readonly DeskCustomer[]): Promise<void>;
};

async function toEach(io: Io, email: string | undefined, isJson: boolean, deed: Deed): Promise<void> {
  const items: Record<string, unknown>[] = await withCustomers(io, email, async (shop, customers) => {
    await deed.confirm?.(customers);
    const done = [];
    for (const customer of customers) {
      done.push({ _id: customer._id, ...(await deed.act.run(shop, asked(customer))), erased: undefined });
    }
    return done;
  });
  const sum = (name: string) => items.reduce((all, item) => all + Number(item[name]), 0);
  if (isJson) printJson(io, items);
  else io.stdout.write(`${deed.report(counted(items.length, 'customer'), sum)}\n`);
}

const toAll = (purpose: string, deed: Deed) =>
  command({
    purpose,
    options: { json },
    operands,
    run: ({ json }, io, [email]) => toEach(io, email, json, deed),
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
    await toEach(io, email, json, {
      act: eraseCustomer,
      report: (customers, sum) => `Erased ${customers} with ${counted(sum('orders'), 'order')}.`,
      confirm: (customers) => confirmErasure(io, customers, isAsked),
    });
  },
});

/** Warns of unsent orders. @throws {StartError} when another e-mail is typed, or none. */
async function confirmErasure(
  { stdin, stderr }: Io,
  customers: readonly DeskCustomer[],
  isAsked: boolean,
): Promise<void> {
  const email = customers[0]?.email ?? '';
  const unsent = customers.reduce((all, { unsentOrders }) => all + unsentOrders, 0);
  if (unsent > 0) {
    stderr.write(
      `${counted(unsent, 'order')} ${unsent === 1 ? 'is' : 'are'} not sent yet, and will have no buyer: ` +
        `npm run shop -- orders list --state new --q ${printable(email)}\n`,
    );
  }
  if (!isAsked) return;
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
  'customers export': exportAll,
  'customers erase': erase,
  'customers block': toAll('Ends every session of a customer, who may sign in no more.', {
    act: blockCustomer,
    report: (customers) => `Blocked ${customers}.`,
  }),
  'customers unblock': toAll('Lets a blocked customer sign in again.', {
    act: unblockCustomer,
    report: (customers) => `Unblocked ${customers}.`,
  }),
  'customers sign-out': toAll('Ends every session of a customer, in all browsers.', {
    act: signOutCustomer,
    report: (customers, sum) => `Ended ${counted(sum('sessions'), 'session')} of ${customers}.`,
  }),
};
