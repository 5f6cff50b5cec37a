import type { DeskCustomer } from '../../../contract/desk/customers.ts';
import { minCustomerSearch } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { list } from '../../api/calls.ts';
import { amount, number, OneLine, time, title } from '../columns.tsx';
import { listView } from '../list-view.tsx';
import { CustomerPanel } from './customer-panel.tsx';

/** Finds customers by their e-mail or name. Before anything is typed, it lists the latest customers, or those who paid most. */
export const Customers = listView<DeskCustomer>({
  name: 'Customers',
  one: 'customer',
  query: ({ q = '', sort = '' }) =>
    list('desk', deskPaths.customers, q.length < minCustomerSearch ? { sort: sort || 'newest' } : { q }, {
      forgives: true,
    }),
  tabs: { by: 'sort', names: { '': 'Newest', best: 'Best' } },
  search: { label: 'E-mail or name', placeholder: 'E-mail or name (3 letters)', maxLength: 320 },
  columns: [
    title('Customer', ({ _id, name, email, isBlocked }) => ({
      title: name || email,
      opens: _id,
      tag: isBlocked && <span className="tag calling">Blocked</span>,
      below: [name && <OneLine key="email">{email}</OneLine>],
    })),
    number('Orders', ({ orders }) => orders),
    amount('Revenue', ({ revenue }) => revenue, { width: '8rem' }),
    time('Last seen', ({ lastSeenAt }) => lastSeenAt),
  ],
  Panel: CustomerPanel,
});
