/** The desk's calls about one order, the counts beside the orders, and the first view. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DeskOrder, OrderNote, OrderWithHistory } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { OrderCounts, Today } from '../../contract/desk/today.ts';
import { changeLists, type Filters, withFilters } from './calls.ts';
import { callApi } from './client.ts';
import { deskOrdersKey } from './desk-queries.ts';

export const todayQuery = queryOptions({
  queryKey: ['desk', deskPaths.today],
  queryFn: async ({ signal }) => (await callApi<Today>(deskPaths.today, { signal })).body,
  staleTime: 0,
  gcTime: 0,
});

const countsKey = ['desk', deskPaths.orderCounts] as const;

/** How many orders of these days each state has. */
export const orderCountsQuery = (filters: Filters) =>
  queryOptions({
    queryKey: [...countsKey, filters],
    queryFn: async ({ signal }) =>
      (await callApi<OrderCounts>(withFilters(deskPaths.orderCounts, filters), { signal })).body,
    staleTime: 0,
    gcTime: 0,
  });

const orderKey = (id: string) => ['desk', 'order', id] as const;

/** An order with what was done with it. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: orderKey(id),
    queryFn: async ({ signal }) => (await callApi<OrderWithHistory>(deskPaths.order(id), { signal })).body,
    staleTime: 0,
    gcTime: 0,
  });

/**
 * Shows changed orders in the lists, apart from those whose filter no longer has them, and fetches what else changes: the counts,
 * the panel that is open, and the first view, to which the owner may have gone back before the change was made.
 */
export const showOrders = async (
  queryClient: QueryClient,
  changes: readonly (Partial<DeskOrder> & Pick<DeskOrder, '_id'>)[],
): Promise<void> => {
  const changeOf = new Map(changes.map((change) => [change._id, change]));
  await changeLists<DeskOrder>(queryClient, deskOrdersKey, (orders, { state }) =>
    orders.flatMap((order) => {
      const changed = { ...order, ...changeOf.get(order._id) };
      return !state || !changeOf.has(order._id) || state === changed.state ? changed : [];
    }),
  );
  void queryClient.invalidateQueries({ queryKey: countsKey });
  void queryClient.invalidateQueries({ queryKey: ['desk', 'order'] });
  void queryClient.invalidateQueries({ queryKey: todayQuery.queryKey });
};

/** @param note empty for none. */
export const noteOrder = async (id: string, note: string): Promise<DeskOrder> => {
  const json: OrderNote = { note };
  return (await callApi<DeskOrder>(deskPaths.orderNote(id), { method: 'POST', json })).body;
};
