import type { DeskCustomer } from '../../../contract/desk/customers.ts';
import { minCustomerSearch } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { list } from '../../api/calls.ts';
import { Notice } from '../../components/notice.tsx';
import { action, money, number, OneLine, OpenButton, time, title } from '../columns.tsx';
import { listView } from '../list-view.tsx';
import { Tabs } from '../tabs.tsx';
import { Tag } from '../tag.tsx';
import { CustomerPanel } from './customer-panel.tsx';

/** Finds customers by their e-mail or name. Before anything is typed: who came last, or who paid most. */
export const Customers = listView<DeskCustomer>({
  name: 'Customers',
  about: 'Find a customer by e-mail or name: to see their orders, or to export, block or erase them.',
  one: 'customer',
  query: ({ q = '', sort = '' }) =>
    list('desk', deskPaths.customers, q ? { q } : { sort: sort || 'newest' }, { forgives: true }),
  label: ({ q, sort }) => (q ? 'Customers' : sort === 'best' ? 'Best customers' : 'Newest customers'),
  search: { label: 'E-mail or name', placeholder: 'First letters of a name or e-mail', maxLength: 320 },
  instead: ({ q }) =>
    q && q.length < minCustomerSearch ? (
      <Notice>
        <p>Type at least three letters of the e-mail, the name or the last name.</p>
      </Notice>
    ) : undefined,
  above: ({ filters: { q, sort = '' } }) =>
    !q && (
      <Tabs
        label="Which customers"
        tabs={[
          { name: 'Newest', filters: {}, isCurrent: sort !== 'best' },
          { name: 'Best', filters: { sort: 'best' }, isCurrent: sort === 'best' },
        ]}
      />
    ),
  columns: [
    title('Customer', ({ name, email, isBlocked }) => ({
      title: name || email,
      tag: isBlocked && <Tag isCalling>Blocked</Tag>,
      below: [name && <OneLine key="email">{email}</OneLine>],
    })),
    number('Orders', ({ orders }) => orders),
    money('Paid', ({ revenue }) => revenue, { width: '8rem' }),
    time('Last seen', ({ lastSeenAt }) => lastSeenAt),
    action(({ _id, email }) => <OpenButton name="Open" id={_id} what={email} />, '6rem'),
  ],
  panel: { by: 'customer', Panel: CustomerPanel },
  empty: { none: 'None yet.', matching: 'No customer has such an e-mail or name.', all: 'Show the newest' },
});
