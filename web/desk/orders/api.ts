/** What the desk reads about orders. */
import type { DeskOrder, OrderWithHistory } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { type Filters, list, read } from '../../api/calls.ts';

export const ordersQuery = (filters: Filters) =>
  list<DeskOrder>('desk', deskPaths.orders, filters, { forgives: true });

/** An order with what was done with it. */
export const orderQuery = (id: string) => read<OrderWithHistory>('desk', deskPaths.order(id));
