import type { DeskCustomer, ErasedCustomer } from '../../../contract/desk/customers.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { type Filters, list, send } from '../../api/calls.ts';

/** Those with an e-mail or a name that begins with `q`, or the ten who came last (`sort` is `newest`) or paid most (`best`). */
export const customersQuery = ({ q = '', sort = '' }: Filters) =>
  list<DeskCustomer>('desk', deskPaths.customers, q ? { q } : { sort: sort || 'newest' }, { forgives: true });

/** A customer's orders, newest first. */
export const customerOrdersQuery = (id: string) => list<DeskOrder>('desk', deskPaths.customerOrders(id));

/** Ends all sessions of a customer. */
export const signOut = (id: string) => send<{ sessions: number }>('POST', deskPaths.customerSignOut(id));

/** Keeps a customer out. */
export const block = (id: string) => send<DeskCustomer>('POST', deskPaths.customerBlock(id));

export const unblock = (id: string) => send<DeskCustomer>('POST', deskPaths.customerUnblock(id));

/** Removes the person from everything that the store has. It cannot be undone; it can be repeated. */
export const erase = (id: string) => send<ErasedCustomer>('POST', deskPaths.customerErase(id));
