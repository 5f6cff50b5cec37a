import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Filters } from '../../../contract/paths.ts';
import { list } from '../../api/calls.ts';

export const ordersQuery = (filters: Filters) =>
  list<DeskOrder>('desk', deskPaths.orders, filters, { forgives: true });
