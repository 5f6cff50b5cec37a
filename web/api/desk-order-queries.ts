/** The desk's calls about one order, the counts beside the orders, and the first view. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DeskOrder, OrderNote, OrderWithHistory } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { OrderCounts, Today } from '../../contract/desk/today.ts';
import { callApi } from './client.ts';
import { type Filters, withFilters } from './desk-queries.ts';

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

/** Fetches what a change of an order changes beside the lists: the counts, and the panel that is open. */
export const refetchBesideLists = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: countsKey }),
    queryClient.invalidateQueries({ queryKey: ['desk', 'order'] }),
  ]);

/** @param note empty for none. */
export const noteOrder = async (id: string, note: string): Promise<DeskOrder> => {
  const json: OrderNote = { note };
  return (await callApi<DeskOrder>(deskPaths.orderNote(id), { method: 'POST', json })).body;
};
