import { useInfiniteQuery } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import type { DeskCustomer } from '../../../contract/desk/customers.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { downloadAddress } from '../../api/changes.ts';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Price } from '../../components/price.tsx';
import { type Done, useAct } from '../acts.tsx';
import { ExportLinks } from '../export-links.tsx';
import type { PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';
import { block, customerOrdersQuery, customersQuery, signOut, unblock } from './api.ts';
import { Erase } from './erase.tsx';

/** Everything about one customer, and what the shop can do. */
export const CustomerPanel = ({ id, row, close }: PanelOf<DeskCustomer>) => {
  const found = useInfiniteQuery({ ...customersQuery({ q: id }), enabled: row === undefined });
  const customer = row ?? found.data?.pages[0]?.body.find(({ _id }) => _id === id);
  return (
    <Panel heading={customer?.name || customer?.email || 'Customer'} onClose={close}>
      <Fetched
        query={{ ...found, data: customer ?? found.data }}
        problem="The customer could not be fetched."
      >
        {() =>
          customer ? (
            <>
              <Facts customer={customer} />
              <Acts customer={customer} />
              <Erase customer={customer} onErased={close} />
              <Orders id={id} />
            </>
          ) : (
            <p>There is no such customer.</p>
          )
        }
      </Fetched>
      <div>
        <Button onClick={close}>Close</Button>
      </div>
    </Panel>
  );
};

const Facts = ({ customer }: { customer: DeskCustomer }) => (
  <dl className="facts">
    <Fact name="E-mail">{customer.email}</Fact>
    <Fact name="Customer since">
      <Time iso={customer.createdAt} />
    </Fact>
    <Fact name="Last seen">
      {customer.lastSeenAt === null ? 'not signed in' : <Time iso={customer.lastSeenAt} />}
    </Fact>
    <Fact name="Orders">
      {customer.orders.toLocaleString('en')}, for <Price value={customer.revenue} />
    </Fact>
  </dl>
);

/** The acts on a customer, apart from the erasure. */
const Acts = ({ customer: { _id, isBlocked } }: { customer: DeskCustomer }) => {
  const { act, isBusy } = useAct();
  const endSessions = async (): Promise<Done> => {
    const { sessions } = await signOut(_id);
    const text = sessions
      ? `Signed out of ${counted(sessions, 'browser')}.`
      : 'This customer was signed in nowhere.';
    return { text };
  };
  const changeBlock = async (): Promise<Done> => ({
    changed: [await (isBlocked ? unblock : block)(_id)],
    text: isBlocked
      ? 'Unblocked: this customer can sign in again.'
      : 'Blocked: signed out everywhere, and not let in until you unblock.',
  });
  return (
    <div className="cluster">
      <Button
        isBusy={isBusy}
        onClick={() =>
          act({ run: endSessions, problem: 'The customer was not signed out. Please try again.' })
        }
      >
        Sign out everywhere
      </Button>
      <Button
        isBusy={isBusy}
        onClick={() => act({ run: changeBlock, problem: 'Nothing was changed. Please try again.' })}
      >
        {isBlocked ? 'Unblock' : 'Block'}
      </Button>
      <ExportLinks
        label="Export everything as"
        links={{ JSON: downloadAddress(deskPaths.customerExport(_id)) }}
      />
    </div>
  );
};

const Orders = ({ id }: { id: string }) => {
  const list = useInfiniteQuery(customerOrdersQuery(id));
  return (
    <section className="stack tight">
      <h3>Orders</h3>
      <Fetched query={list} problem="The orders could not be fetched.">
        {({ pages }) =>
          pages[0]?.body.length ? (
            <ul className="ruled">
              {pages
                .flatMap(({ body }) => body)
                .map((order) => (
                  <li key={order._id}>
                    <cite dir="auto">{order.title}</cite>
                    <div className="soft">
                      <bdi>{order.author}</bdi> · <Price value={order.price} /> ·{' '}
                      <Time iso={order.placedAt} />
                      {order.state === 'new' && ' · not sent yet'}
                      {order.state === 'withdrawn' && ' · withdrawn'}
                    </div>
                  </li>
                ))}
            </ul>
          ) : (
            <p className="soft">No orders yet.</p>
          )
        }
      </Fetched>
      <LoadMore list={list} />
    </section>
  );
};
