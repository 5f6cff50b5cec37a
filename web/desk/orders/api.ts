/** The desk's calls about orders. */
import type {
  DeskOrder,
  MarkedOrder,
  MarkOrders,
  OrderNote,
  OrderWithHistory,
  Settlement,
} from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { type Filters, list, read, send } from '../../api/calls.ts';
import { inParts } from '../../api/changes.ts';

export const ordersQuery = (filters: Filters) =>
  list<DeskOrder>('desk', deskPaths.orders, filters, { forgives: true });

/** An order with what was done with it. */
export const orderQuery = (id: string) => read<OrderWithHistory>('desk', deskPaths.order(id));

/** Marks orders as sent, or takes the mark back. One that is marked already stays as it is, so it can be repeated. */
export const markSent = async (orders: readonly DeskOrder[], isSent: boolean): Promise<MarkedOrder[]> => {
  const markPart = (part: DeskOrder[]) => {
    const json: MarkOrders = { ids: part.map(({ _id }) => _id), isSent };
    return send<MarkedOrder[]>('POST', deskPaths.ordersSent, json);
  };
  return (await inParts(orders, markPart)).flat();
};

/** Withdraws or cancels an order; again it changes nothing. */
export const withdraw = (id: string, reason: string) =>
  send('POST', deskPaths.orderWithdraw(id), reason.trim() ? { reason } : {});

/** Notes what became of a withdrawn order. */
export const settle = (id: string, settlement: Settlement) =>
  send('POST', deskPaths.orderSettle(id), settlement, { keepalive: true });

/** Changes where an order is sent. @throws {ApiProblem} ALREADY_SENT. */
export const setAddress = (id: string, deliveryAddress: string) =>
  send('PATCH', deskPaths.order(id), { deliveryAddress });

/** @param note empty for none. */
export const note = (id: string, text: string) =>
  send('POST', deskPaths.orderNote(id), { note: text } satisfies OrderNote);
