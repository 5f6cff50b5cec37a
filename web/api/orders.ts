/** The calls of a customer about orders. */

import type { QueryClient } from '@tanstack/react-query';
import type { KnownAddress, NewOrder, Order, WithdrawnOrder } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import type { Transfer } from '../../contract/transfer.ts';
import type { Way } from '../../contract/ways.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { list, read, send } from './calls.ts';
import { keptForBack } from './catalogue.ts';
import { ApiProblem } from './client.ts';
import { fromPage } from './painted-screen.ts';

/** Prefix of the keys of all order lists seen in this tab. */
export const ordersKey = ['orders'] as const;

export const ordersQuery = (email: string) => ({
  ...list<Order>('orders', paths.allOrder(email)),
  gcTime: 5 * 60_000,
});

/** One order of a customer; the list that leads to it has it at once. The query fails with status 404 when the order is not the customer's. */
export const orderQuery = (email: string, id: string, queryClient: QueryClient) => ({
  ...read<Order>('customer', paths.order(id)),
  initialData: () =>
    queryClient
      .getQueryData(ordersQuery(email).queryKey)
      ?.pages.flatMap(({ body }) => body)
      .find(({ _id }) => _id === id),
  initialDataUpdatedAt: 0,
});

/** A customer's orders of a book, newest first. */
export const ordersOfBookQuery = (email: string, bookId: string) => ({
  ...read<Order[]>('customer', paths.allOrder(email), { book: bookId }),
  // The checkout works without this query's response.
  retry: false,
});

/** The address that a customer's next checkout begins with. Each order may have another address. */
export const addressQuery = read<KnownAddress>('customer', paths.address);

/** The ways to get a book, for the pages of books. */
export const waysOnPagesQuery = {
  ...read<Way[]>('home', paths.ways),
  ...fromPage(({ ways }) => ways),
  ...keptForBack,
};

/** The ways to get a book. A checkout never opens with a cached price. */
export const waysQuery = read<Way[]>('customer', paths.ways);

/** Places the order once per key, however often it is sent. */
export const placeOrder = (order: NewOrder, idempotencyKey: string): Promise<Order> =>
  send('POST', paths.addOrder, order, { headers: { 'idempotency-key': idempotencyKey } });

/** Changes where an order is sent. @throws {ApiProblem} ALREADY_SENT. */
export const correctAddress = (id: string, deliveryAddress: string): Promise<Order> =>
  send('PATCH', paths.order(id), { deliveryAddress });

export const transferQuery = (id: string) => read<Transfer>('customer', paymentPaths.transfer(id));

/** @param way a provider, such as `stripe`. @returns the page of the provider. @throws {ApiProblem} ALREADY_PAID, TOO_LATE, WITHDRAWN. */
export const payOrder = (id: string, way: string): Promise<{ url: string }> =>
  send('POST', paymentPaths.pay(id), { with: way });

/** Withdraws an order; a repeated call changes nothing. @throws {ApiProblem} TOO_LATE. */
export const withdrawOrder = (id: string, reason: string): Promise<WithdrawnOrder> =>
  send('POST', withdrawalPaths.order(id), reason.trim() ? { reason } : {});

/** @returns true if the store has refused a call without looking at its body: 401, 403, 429. */
export const isUnread = (error: unknown): boolean =>
  error instanceof ApiProblem && [401, 403, 429].includes(error.status);
