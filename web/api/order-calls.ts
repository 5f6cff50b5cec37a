/** The calls about orders. They are not in queries.ts, which the home page loads. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { NewOrder, Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { ApiProblem, callApi } from './client.ts';
import { ordersKey } from './queries.ts';

/** A customer's orders, newest first, page by page. */
export const ordersQuery = (email: string) =>
  infiniteQueryOptions({
    queryKey: [...ordersKey, email],
    queryFn: ({ pageParam, signal }) => callApi<Order[]>(pageParam, { signal }),
    initialPageParam: paths.allOrder(email),
    getNextPageParam: (page) => page.next,
  });

/** One order of a customer, for its receipt; null when it is none of theirs. */
export const orderQuery = (email: string, id: string, queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['order', email, id],
    queryFn: async ({ signal }) => {
      const path = `${paths.allOrder(email)}?${new URLSearchParams({ order: id })}`;
      return (await callApi<Order[]>(path, { signal })).body[0] ?? null;
    },
    // The list that leads to the receipt has the order at once.
    initialData: () =>
      queryClient
        .getQueryData(ordersQuery(email).queryKey)
        ?.pages.flatMap(({ body }) => body)
        .find(({ _id }) => _id === id),
    initialDataUpdatedAt: 0,
    gcTime: 0,
  });

/**
 * A customer's orders of a book, newest first; at least one of them where there is one that was not withdrawn. Orders that the tab has
 * shown are taken from there.
 */
export const ordersOfBookQuery = (email: string, bookId: string, queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['orders of a book', email, bookId],
    queryFn: async ({ signal }) => {
      const path = `${paths.allOrder(email)}?${new URLSearchParams({ book: bookId })}`;
      return (await callApi<Order[]>(path, { signal })).body;
    },
    initialData: () => {
      const pages = queryClient.getQueryData(ordersQuery(email).queryKey)?.pages ?? [];
      const found = pages.flatMap(({ body }) => body).filter((order) => order.bookId === bookId);
      const isComplete = pages.length > 0 && !pages.at(-1)?.next;
      return isComplete || found.some(({ state }) => state !== 'withdrawn') ? found : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The next checkout looks again.
    gcTime: 0,
    // The checkout goes on without it.
    retry: false,
  });

/** Places the order once per key, however often it is sent. */
export const placeOrder = async (order: NewOrder, idempotencyKey: string): Promise<Order> => {
  const headers = { 'idempotency-key': idempotencyKey };
  return (await callApi<Order>(paths.addOrder, { method: 'POST', json: order, headers })).body;
};

/** @returns true if the store has refused a call without looking at its body: 401, 403, 429. */
export const isUnread = (error: unknown): boolean =>
  error instanceof ApiProblem && [401, 403, 429].includes(error.status);
