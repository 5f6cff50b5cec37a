/** The calls about where an order is sent. They are not in queries.ts, which the home page loads. */
import { queryOptions } from '@tanstack/react-query';
import type { KnownAddress, Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { callApi } from './client.ts';

/** The address that a checkout of the customer begins with. */
export const addressQuery = (email: string) =>
  queryOptions({
    queryKey: ['address', email],
    queryFn: async ({ signal }) => (await callApi<KnownAddress>(paths.address, { signal })).body,
    // The next order may have another.
    gcTime: 0,
  });

/** Changes where an order is sent. @throws {ApiProblem} ALREADY_SENT. */
export const correctAddress = async (id: string, deliveryAddress: string): Promise<Order> =>
  (await callApi<Order>(paths.order(id), { method: 'PATCH', json: { deliveryAddress } })).body;
