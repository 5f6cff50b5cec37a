/** Every call that the desk makes, apart from those that the shop makes too. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ActivityEntry } from '../../contract/desk/activity.ts';
import type { DeskCustomer, ErasedCustomer } from '../../contract/desk/customers.ts';
import type { DeskMailContent, DeskMails } from '../../contract/desk/mail.ts';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { BestSeller, Sales } from '../../contract/desk/sales.ts';
import type { DeskWebhooks } from '../../contract/desk/webhooks.ts';
import { changeLists, type Filters, list, listOf, read, withFilters } from './calls.ts';
import { ApiProblem, callApi } from './client.ts';

export {
  downloadAddress,
  type Filters,
  type ListPage as DeskPage,
  type ListQuery as DeskListQuery,
  withFilters,
} from './calls.ts';

/** @returns true if the account may not use the desk (403). */
export const isRefused = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status === 403;

/** Shows a changed item in the lists that have it. */
export const replaceInLists = <Item extends { _id: string }>(
  queryClient: QueryClient,
  key: readonly ['desk', string],
  changed: Item,
): Promise<void> =>
  changeLists<Item>(queryClient, key, (items) =>
    items.map((item) => (item._id === changed._id ? changed : item)),
  );

/** Takes an item out of the lists, such as one that was deleted. */
export const takeOutOfLists = (
  queryClient: QueryClient,
  key: readonly ['desk', string],
  id: string,
): Promise<void> =>
  changeLists<{ _id: string }>(queryClient, key, (items) => items.filter(({ _id }) => _id !== id));

/** The audit trail, newest first. */
export const activityQuery = (filters: Filters) => list<ActivityEntry>('desk', deskPaths.activity, filters);

/** Prefix of the keys of all lists of mail. */
export const deskMailKey = ['desk', deskPaths.mail] as const;

/** The mail of the orders, newest first. */
export const deskMailQuery = (filters: Filters) =>
  listOf('desk', deskPaths.mail, filters, ({ messages, mode }: DeskMails) => ({
    body: messages,
    mode,
  }));

/** The messages of one order. */
export const mailContentQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'mail of', id],
    queryFn: async ({ signal }) => (await callApi<DeskMailContent>(deskPaths.mailOf(id), { signal })).body,
    gcTime: 0,
  });

/** Sends the mail of an order again, from now on. */
export const retryMail = async (id: string): Promise<void> => {
  await callApi(deskPaths.mailRetry(id), { method: 'POST' });
};

/** Prefix of the keys of all lists of events. */
export const deskWebhooksKey = ['desk', deskPaths.webhooks] as const;

/** The events that another program is told, newest first. */
export const deskWebhooksQuery = (filters: Filters) =>
  listOf('desk', deskPaths.webhooks, filters, ({ events, mode }: DeskWebhooks) => ({
    body: events,
    mode,
  }));

/** Sends an event again that was given up. */
export const retryWebhook = async (id: string): Promise<void> => {
  await callApi(deskPaths.webhookRetry(id), { method: 'POST' });
};

/** Prefix of the keys of all lists of customers. */
export const deskCustomersKey = ['desk', deskPaths.customers] as const;

/** The store finds no customer by fewer characters. */
export const minCustomerSearch = 3;

/** The customers with an e-mail or a name that begins with a text. */
export const customersQuery = (q: string) =>
  list<DeskCustomer>('desk', deskPaths.customers, { q }, { forgives: true });

/** The ten customers who came last, or who paid most. */
export const someCustomersQuery = (sort: 'newest' | 'best') =>
  list<DeskCustomer>('desk', deskPaths.customers, { sort });

/** A customer's orders, newest first. */
export const customerOrdersQuery = (id: string) => list<DeskOrder>('desk', deskPaths.customerOrders(id));

/** Ends all sessions of a customer. @returns how many there were. */
export const signOutCustomer = async (id: string): Promise<number> =>
  (await callApi<{ sessions: number }>(deskPaths.customerSignOut(id), { method: 'POST' })).body.sessions;

/** Keeps a customer out, or lets one in again. */
export const blockCustomer = async (id: string, isBlocked: boolean): Promise<DeskCustomer> => {
  const path = isBlocked ? deskPaths.customerBlock(id) : deskPaths.customerUnblock(id);
  return (await callApi<DeskCustomer>(path, { method: 'POST' })).body;
};

/** Removes the person from everything that the store has. It cannot be undone; it can be repeated. */
export const eraseCustomer = async (id: string): Promise<ErasedCustomer> =>
  (await callApi<ErasedCustomer>(deskPaths.customerErase(id), { method: 'POST' })).body;

/** The sales of each day, week or month, oldest first. */
export const salesQuery = (filters: Filters) => read<Sales[]>('desk', deskPaths.sales, filters);

/** The books of which most was sold. */
export const bestSellersQuery = (filters: Filters) =>
  read<BestSeller[]>('desk', deskPaths.bestSellers, filters);

/** Fails with status 403 for an account that may not use the desk. */
export const admissionQuery = queryOptions({
  queryKey: ['desk', 'admission'],
  queryFn: async ({ signal }) => {
    await callApi(withFilters(deskPaths.activity, { limit: '1' }), { signal });
    return true;
  },
});
