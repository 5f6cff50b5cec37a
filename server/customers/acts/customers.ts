import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { CustomerParams, DeskCustomer, ErasedCustomer } from '../../../contract/desk/customers.ts';
import { minCustomerSearch } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act, fileAct } from '../../access/act.ts';
import { type Actor, recordActivity } from '../../activity/activity.ts';
import { fieldProblem, Problem } from '../../http/problems.ts';
import { endSessionsOfCustomer } from '../../sign-in/sessions.ts';
import * as customers from '../customers.ts';
import { eraseCustomer as erase } from '../erase-customer.ts';
import { exportCustomer as read } from '../export-customer.ts';

const Sought = (description: string) =>
  Type.Optional(Type.String({ format: 'term', minLength: minCustomerSearch, maxLength: 320, description }));

/** No script's token admits to the acts on customers: they are about persons. */
export const findCustomers = act({
  method: 'GET',
  path: deskPaths.customers,
  operationId: 'findCustomers',
  summary:
    'Finds customers by their e-mail or name: at most 50, in the order of the e-mails; or the newest or best ten',
  input: {
    query: Type.Object({
      q: Sought(
        'The beginning of an e-mail, of a name or of its last word, at least three characters, or an id. The case of ASCII letters is ignored.',
      ),
      email: Sought('Another name of `q`.'),
      spelling: Part.SimilarSpelling('of names alone, among the 20,000 customers who came last'),
      sort: Type.Optional(
        Type.Enum(['newest', 'best'], {
          description: 'In place of a search: the ten customers who came last, or who paid most.',
        }),
      ),
    }),
  },
  output: Type.Array(DeskCustomer),
  async run({ listDb }, { query: { q, email = q, sort, spelling } }) {
    if (email === undefined && sort !== undefined) return await customers.listCustomers(listDb, sort);
    if (email === undefined) throw fieldProblem('q', 'Required.');
    const find = spelling === 'similar' ? customers.findSimilarCustomers : customers.findCustomers;
    return await find(listDb, email);
  },
  commands: {
    'customers find': {
      purpose:
        'Finds the customers whose e-mail, name or last name begins with EMAIL, at most 50, or the one with this id.',
      operands: { EMAIL: 'q' },
      hides: ['email', 'sort'],
      line: ({ _id, email, name, createdAt, isBlocked, orders, revenue }, { format }) => {
        const state = isBlocked ? 'blocked' : `since ${createdAt.slice(0, 10)}`;
        return [_id, email, name, state, counted(orders, 'order'), format(revenue)];
      },
      whenEmpty: 'No customer has an e-mail or a name that begins so.',
    },
  },
});

export const exportCustomer = fileAct({
  method: 'GET',
  path: deskPaths.customerExport,
  operationId: 'exportCustomer',
  summary: 'Everything that the store has about a customer, as JSON',
  description: 'For a customer who asks what the store has about them.',
  input: { params: CustomerParams },
  files: { 'application/json': Type.Any() },
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, listDb, actor }, { params }) {
    // The entry has the customer’s id, because the address may have any text in its place.
    const { _id } = await customers.findCustomerById(db, params.id);
    return {
      name: ['customer', _id],
      ending: 'json',
      type: 'application/json; charset=utf-8',
      read: () => read({ db, readDb: listDb }, _id, actor),
    };
  },
  commands: {
    'customers export': {
      purpose:
        'Prints everything that the store has about a customer: one JSON array, of one object for each customer of that e-mail.',
      ofEmail: (customers) => customers,
    },
  },
});

export const signOutCustomer = act({
  method: 'POST',
  path: deskPaths.customerSignOut,
  operationId: 'signOutCustomer',
  summary: 'Ends every session of a customer',
  input: { params: CustomerParams },
  output: Part.Named('EndedSessions', { sessions: Part.Count('How many ended.') }),
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, actor }, { params: { id } }) {
    return await db.transaction().execute(async (db) => {
      // This write makes sign-ins of the customer wait until the end of the transaction.
      const { numUpdatedRows } = await db
        .updateTable('customers')
        .set(({ ref }) => ({ name: ref('name') }))
        .where('id', '=', id)
        .where('erased_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new Problem('CUSTOMER_NOT_FOUND');
      const sessions = await endSessionsOfCustomer(db, id);
      const details = { sessions };
      if (sessions > 0) await recordActivity(db, 'customer-signed-out', actor, { subject: id, details });
      return { sessions };
    });
  },
  commands: {
    'customers sign-out': {
      purpose: 'Ends every session of a customer, in all browsers.',
      ofEmail(customers, ended) {
        const sessions = ended.reduce((sum, { sessions }) => sum + sessions, 0);
        return `Ended ${counted(sessions, 'session')} of ${customers}.`;
      },
    },
  },
});

export const blockCustomer = act({
  method: 'POST',
  path: deskPaths.customerBlock,
  operationId: 'blockCustomer',
  summary: 'Ends every session of a customer, who may sign in no more',
  input: { params: CustomerParams },
  output: DeskCustomer,
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, actor }, { params: { id } }) {
    refuseOneself(actor, id);
    return await customers.block(db, id, { isBlocked: true }, actor);
  },
  commands: {
    'customers block': { ofEmail: (customers) => `Blocked ${customers}.` },
  },
});

export const unblockCustomer = act({
  method: 'POST',
  path: deskPaths.customerUnblock,
  operationId: 'unblockCustomer',
  summary: 'Lets a blocked customer sign in again',
  input: { params: CustomerParams },
  output: DeskCustomer,
  problems: ['CUSTOMER_NOT_FOUND'],
  run: ({ db, actor }, { params: { id } }) => customers.block(db, id, { isBlocked: false }, actor),
  commands: {
    'customers unblock': { ofEmail: (customers) => `Unblocked ${customers}.` },
  },
});

/** Refuses to block the only admin, who would be locked out of the desk. @throws {Problem} NOT_ALLOWED. */
function refuseOneself(actor: Actor, id: string): void {
  if (actor.customerId !== id) return;
  throw new Problem('NOT_ALLOWED', {
    detail: 'This is your own account. `npm run shop -- customers` can do it.',
  });
}

export const eraseCustomer = act({
  method: 'POST',
  path: deskPaths.customerErase,
  operationId: 'eraseCustomer',
  summary: 'Removes the person for good; the orders keep book, price and day',
  input: { params: CustomerParams },
  output: ErasedCustomer,
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, actor }, { params: { id } }) {
    refuseOneself(actor, id);
    return { erased: true as const, orders: await erase(db, id, actor) };
  },
  commands: {
    'customers erase': {
      purpose: 'Removes the person for good. The orders keep book, price and day.',
      flags: { yes: 'erase, instead of saying whom' },
      confirm(customers) {
        const unsent = customers.reduce((sum, { unsentOrders }) => sum + unsentOrders, 0);
        const buyer = `${counted(unsent, 'order')} not sent yet will have no buyer`;
        return `--yes erases ${counted(customers.length, 'customer')} for good${unsent > 0 ? `; ${buyer}` : ''}.`;
      },
      json: ({ orders }) => ({ orders }),
      ofEmail(customers, erased) {
        const orders = erased.reduce((sum, { orders }) => sum + orders, 0);
        return `Erased ${customers} with ${counted(orders, 'order')}.`;
      },
    },
  },
});
