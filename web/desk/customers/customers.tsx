import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import type { DeskCustomer, ErasedCustomer } from '../../../contract/desk/customers.ts';
import { minCustomerSearch } from '../../../contract/desk/limits.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { foldEmail } from '../../../contract/email.ts';
import { withoutUnseen } from '../../../contract/pasted-text.ts';
import { list, read, send } from '../../api/calls.ts';
import { downloadAddress } from '../../api/changes.ts';
import { ApiProblem } from '../../api/client.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { Price } from '../../components/price.tsx';
import { ActButton } from '../acts.tsx';
import { amount, number, OneLine, time, title } from '../columns.tsx';
import { EditForm } from '../edit-form.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';
import { ExportLinks } from '../view-head.tsx';

const CustomerPanel = ({ id, close }: PanelOf) => {
  // `email` also finds an id. With `q`, the key would be that of the list behind, which has similar names if nothing matches.
  const found = useQuery(read<DeskCustomer[]>('desk', deskPaths.customers, { email: id }));
  const [customer] = found.data ?? [];
  return (
    <Panel heading={customer?.name || customer?.email || 'Customer'} onClose={close}>
      <Fetched query={found} problem="The customer could not be fetched.">
        {() =>
          customer ? (
            <>
              <Facts {...customer} />
              <Acts customer={customer} />
              <Erase customer={customer} onErased={close} />
            </>
          ) : (
            <p>There is no such customer.</p>
          )
        }
      </Fetched>
    </Panel>
  );
};

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
  columns: () => [
    title('Customer', ({ _id, name, email, isBlocked }) => ({
      title: name || email,
      opens: _id,
      tag: isBlocked && <span className="tag calling">Blocked</span>,
      below: [name && <OneLine>{email}</OneLine>],
    })),
    number('Orders', ({ orders }) => orders),
    amount('Revenue', ({ revenue }) => revenue, { width: '8rem' }),
    time('Last seen', ({ lastSeenAt }) => lastSeenAt),
  ],
  Panel: CustomerPanel,
});

const Facts = ({ email, createdAt, lastSeenAt, orders, revenue }: DeskCustomer) => (
  <dl className="facts">
    <Fact name="E-mail">{email}</Fact>
    <Fact name="Customer since">
      <Time iso={createdAt} />
    </Fact>
    <Fact name="Last seen">{lastSeenAt === null ? 'not signed in' : <Time iso={lastSeenAt} />}</Fact>
    <Fact name="Revenue">
      <Price value={revenue} />
    </Fact>
    <Fact name="Orders">
      <Link className="linkish" href={deskViewAddress('orders', { q: email })}>
        {counted(orders, 'order')}
      </Link>
    </Fact>
  </dl>
);

const Acts = ({ customer: { _id, isBlocked } }: { customer: DeskCustomer }) => {
  const signOut = async () => {
    const { sessions } = await send<{ sessions: number }>('POST', deskPaths.customerSignOut(_id));
    return { text: `Signed out of ${counted(sessions, 'browser')}.` };
  };
  const [name, path, text] = isBlocked
    ? ['Unblock', deskPaths.customerUnblock, 'Unblocked: this customer can sign in again.']
    : ['Block', deskPaths.customerBlock, 'Blocked: signed out everywhere, and not let in until you unblock.'];
  const block = async () => {
    await send('POST', path(_id));
    return { text };
  };
  return (
    <div className="cluster">
      <ActButton
        name="Sign out everywhere"
        variant="secondary"
        run={signOut}
        problem="The customer was not signed out. Please try again."
      />
      <ActButton name={name} variant="secondary" run={block} />
      <ExportLinks
        label="Export everything as"
        links={{ JSON: downloadAddress(deskPaths.customerExport(_id)) }}
      />
    </div>
  );
};

/** Erases a customer. This is the only act of the desk without an undo, so the owner must type the e-mail first. */
const Erase = ({ customer, onErased }: { customer: DeskCustomer; onErased: () => void }) => {
  const { _id, email, unsentOrders } = customer;
  const erase = async (typed: string) => {
    if (foldEmail(withoutUnseen(typed)) !== foldEmail(email))
      throw new ApiProblem(400, { code: 'OTHER_EMAIL', detail: `Type ${email} as it is.` });
    const { orders } = await send<ErasedCustomer>('POST', deskPaths.customerErase(_id));
    const kept = orders === 1 ? '1 order keeps its' : `${counted(orders, 'order')} keep their`;
    return { text: `Erased. ${kept} book, price and day.` };
  };
  return (
    <details
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.querySelector('input')?.focus()}
    >
      <summary className="linkish problem">Erase this customer</summary>
      <div className="stack">
        {unsentOrders > 0 && (
          <p>
            <Link href={deskViewAddress('orders', { state: 'new', q: email })}>
              {counted(unsentOrders, 'order')} {unsentOrders === 1 ? 'is' : 'are'} not sent yet.
            </Link>{' '}
            Once the person is erased, nobody knows who bought {unsentOrders === 1 ? 'it' : 'them'}.
          </p>
        )}
        <EditForm
          fields={[
            {
              name: 'email',
              label: 'Type the e-mail to confirm',
              hint: 'Name, e-mail, photo and sessions go, and cannot be brought back. The orders keep their book, price and day, without the person.',
              required: true,
            },
          ]}
          save={({ email }) => erase(email)}
          problem="The customer was not erased."
          word="Erase for good"
          onDone={onErased}
        />
      </div>
    </details>
  );
};
