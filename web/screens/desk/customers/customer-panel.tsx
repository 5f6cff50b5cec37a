import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DeskCustomer, ErasedCustomer } from '../../../../contract/desk-customers.ts';
import { deskPaths } from '../../../../contract/desk-paths.ts';
import { retryTransient } from '../../../api/client.ts';
import {
  blockCustomer,
  customerOrdersQuery,
  type DeskPage,
  deskCustomersKey,
  downloadAddress,
  signOutCustomer,
} from '../../../api/desk-queries.ts';
import { Button } from '../../../components/button.tsx';
import { Loading } from '../../../components/loading.tsx';
import { Price } from '../../../components/price.tsx';
import { TryAgain } from '../../../components/try-again.tsx';
import { withReason } from '../../../components/with-reason.ts';
import { ExportLinks } from '../export-links.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';
import styles from './customer-panel.module.css';
import { EraseCustomer } from './erase-customer.tsx';

type CustomerPanelProps = {
  customer: DeskCustomer;
  onClose: () => void;
  onErased: (result: ErasedCustomer) => void;
};

/** Everything about one customer, and what the shop can do. */
export const CustomerPanel = ({ customer, onClose, onErased }: CustomerPanelProps) => (
  <Panel heading={customer.name || customer.email} onClose={onClose}>
    <dl className={styles.facts}>
      <dt>E-mail</dt>
      <dd dir="auto">{customer.email}</dd>
      <dt>Customer since</dt>
      <dd>
        <Time iso={customer.createdAt} />
      </dd>
      <dt>Last seen</dt>
      <dd>{customer.lastSeenAt === null ? 'not signed in' : <Time iso={customer.lastSeenAt} />}</dd>
      <dt>Orders</dt>
      <dd>
        {customer.orders.toLocaleString('en')}, for <Price value={customer.revenue} />
      </dd>
    </dl>
    <Actions customer={customer} />
    <EraseCustomer customer={customer} onErased={onErased} />
    <CustomerOrders id={customer._id} />
    <div>
      <Button onClick={onClose}>Close</Button>
    </div>
  </Panel>
);

const Actions = ({ customer }: { customer: DeskCustomer }) => {
  const queryClient = useQueryClient();
  const [result, setResult] = useState<ReactNode>();
  const report = (message: string) => (error: Error) => setResult(withReason(message, error));

  const signOut = useMutation({
    mutationFn: () => signOutCustomer(customer._id),
    retry: retryTransient,
    onSuccess: (sessions) =>
      setResult(
        sessions === 0
          ? 'This customer was signed in nowhere.'
          : `Signed out of ${sessions} ${sessions === 1 ? 'browser' : 'browsers'}.`,
      ),
    onError: report('The customer was not signed out. Please try again.'),
  });
  const block = useMutation({
    mutationFn: (isBlocked: boolean) => blockCustomer(customer._id, isBlocked),
    retry: retryTransient,
    onSuccess: (changed) => {
      queryClient.setQueriesData<InfiniteData<DeskPage<DeskCustomer>>>(
        { queryKey: deskCustomersKey },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              body: page.body.map((other) => (other._id === changed._id ? changed : other)),
            })),
          },
      );
      setResult(
        changed.isBlocked
          ? 'Blocked: signed out everywhere, and not let in until you unblock.'
          : 'Unblocked: this customer can sign in again.',
      );
    },
    onError: report('Nothing was changed. Please try again.'),
  });

  return (
    <div className={styles.actions}>
      <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out everywhere
      </Button>
      <Button isBusy={block.isPending} onClick={() => block.mutate(!customer.isBlocked)}>
        {customer.isBlocked ? 'Unblock' : 'Block'}
      </Button>
      <ExportLinks
        label="Export everything as"
        links={{ JSON: downloadAddress(deskPaths.customerExport(customer._id)) }}
      />
      <p className={styles.result} role="status">
        {result}
      </p>
    </div>
  );
};

const CustomerOrders = ({ id }: { id: string }) => {
  const list = useInfiniteQuery(customerOrdersQuery(id));
  const { data, error, isError, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = list;
  const orders = data?.pages.flatMap((page) => page.body);
  return (
    <section className={styles.section}>
      <h3>Orders</h3>
      {isPending && <Loading />}
      {isError && (
        <TryAgain
          problem="The orders could not be fetched."
          error={error}
          onTryAgain={orders ? fetchNextPage : refetch}
        />
      )}
      {orders?.length === 0 && <p className={styles.none}>No orders yet.</p>}
      {orders && orders.length > 0 && (
        <ul className={styles.orders}>
          {orders.map((order) => (
            <li key={order._id}>
              <span>
                <cite dir="auto">{order.title}</cite> <span dir="auto">{order.author}</span>
              </span>
              <span>
                <Price value={order.price} /> · <Time iso={order.placedAt} />
                {order.sentAt === null && ' · not sent yet'}
              </span>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && !isError && (
        <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
          Show more orders
        </Button>
      )}
    </section>
  );
};
