import { CustomerParams, DeskCustomer } from '../../../contract/desk/customers.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import type { Actor } from '../../activity/activity.ts';
import { Problem } from '../../http/problems.ts';
import { block } from '../customers.ts';

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
    return await block(db, id, { isBlocked: true }, actor);
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
  run: ({ db, actor }, { params: { id } }) => block(db, id, { isBlocked: false }, actor),
  commands: {
    'customers unblock': { ofEmail: (customers) => `Unblocked ${customers}.` },
  },
});

/** Refuses to block the only admin, who would be locked out of the desk. @throws {Problem} NOT_ALLOWED. */
export function refuseOneself(actor: Actor, id: string): void {
  if (actor.customerId !== id) return;
  throw new Problem('NOT_ALLOWED', {
    detail: 'This is your own account. `npm run shop -- customers` can do it.',
  });
}
