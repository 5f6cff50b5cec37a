import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Book, BookInStock } from '../../../contract/book.ts';
import { isCheckoutDay } from '../../../contract/checkout-day.ts';
import { tidyAddress } from '../../../contract/delivery-address.ts';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import type { Way } from '../../../contract/ways.ts';
import { bookListsKey, bookQuery } from '../../api/catalogue.ts';
import { takeFromLists } from '../../api/changes.ts';
import { ApiProblem, codeOf, fieldErrorIn, isTransient, retryTransient } from '../../api/client.ts';
import { correctAddress, isUnread, ordersKey, placeOrder, waysQuery } from '../../api/orders.ts';
import { storeNow } from '../../api/store-clock.ts';
import { storeConfig } from '../../store-config.ts';
import { isSameOrder, type OrderedBook, type PendingOrder, storedOrder } from './pending-order.ts';
import { type Delivery, deliveryOf, forgetDelivery } from './use-delivery.ts';

type Parts = {
  book: BookInStock;
  ways: readonly Way[];
  delivery: Pick<Delivery, 'way' | 'gift' | 'address'>;
  customer: SignedIn;
  day: string;
};

/**
 * The purchase of one book. Its day may pass while the screen is open. `openedPrice`: the first price that the screen showed. `isOther`:
 * the store has refused the order, because price, title, author or delivery differ now. `way`: that of the pending order. `place` sends the
 * pending order, and shows the orders when the store has taken it.
 */
export const usePurchase = ({ book, ways, delivery, customer, day }: Parts) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const stored = storedOrder(customer.email, book._id);
  const pendingOrderOf = ({ _id, title, author, price: { value: price } }: Book, ways: readonly Way[]) => {
    const bought = { title, author, price, time: checkoutDay(), bookId: _id };
    return stored.open({ ...bought, ...deliveryOf(ways, delivery, price) });
  };
  const [pendingOrder, setPendingOrder] = useState(() => pendingOrderOf(book, ways));
  const [openedPrice] = useState(pendingOrder.ordered.price);
  const [isOther, setIsOther] = useState(false);

  const way = ways.find(({ id }) => id === pendingOrder.ordered.way);
  const deliveryAddress = way?.asksAddress === false ? '' : delivery.address;
  useEffect(
    () => storedOrder(customer.email, book._id).keep(pendingOrder),
    [customer.email, book._id, pendingOrder],
  );
  const mutationKey = ['purchase', customer.email, book._id];
  const send = (pending: PendingOrder): Promise<Order> =>
    stored.send(pending, () =>
      placeOrder(
        { ...customer, ...pending.ordered, ...(deliveryAddress.trim() && { deliveryAddress }) },
        pending.key,
      ),
    );
  const purchase = useMutation({
    mutationKey,
    mutationFn: async (sent: { pending: PendingOrder }) => {
      const order = await send(sent.pending).catch(async (error) => {
        const time = checkoutDay();
        const { ordered } = sent.pending;
        if (!isOfAnotherDay(error) || ordered.time === time) throw error;
        // The store has no order with this key, and its response has the right day. A retry of this call uses the new key.
        stored.remove();
        sent.pending = stored.open({ ...ordered, time });
        setPendingOrder(sent.pending);
        return await send(sent.pending);
      });
      return storeConfig.hasDelivery ? await sentTo(order, deliveryAddress) : order;
    },
    retry: retryTransient,
    onSuccess: async () => {
      stored.remove();
      forgetDelivery(customer.email);
      queryClient.removeQueries({ queryKey: ordersKey });
      if (book.copiesLeft === 1) await takeFromLists(queryClient, bookListsKey, book._id);
    },
    onError: async (error, { pending: { ordered } }) => {
      if (!isRefusal(error)) return;
      stored.remove();
      if (codeOf(error) === 'SOLD_OUT') await takeFromLists(queryClient, bookListsKey, book._id);
      const currentBook = await queryClient.fetchQuery(bookQuery(book._id)).catch(() => book);
      const currentWays = await queryClient.fetchQuery(waysQuery).catch(() => ways);
      const next = pendingOrderOf(currentBook, currentWays);
      setIsOther(shownParts(next.ordered) !== shownParts(ordered));
      setPendingOrder(next);
    },
  });

  // True also while the checkout of another book, which was left, waits for its response.
  const isPending = useIsMutating({ mutationKey }) > 0;

  /** The pending order of today, with what is chosen; an order that was sent keeps both. */
  const pendingOn = (time: string) => {
    if (pendingOrder.wasSent) return pendingOrder;
    const { way: _way, total: _total, gift: _gift, ...bought } = pendingOrder.ordered;
    const ordered = { ...bought, time, ...deliveryOf(ways, delivery, bought.price) };
    return stored.open(ordered);
  };
  if (!isPending) {
    const current = pendingOn(day);
    if (!isSameOrder(current.ordered, pendingOrder.ordered)) setPendingOrder(current);
  }

  const place = () => {
    // A double click comes before the button is rendered as busy, so the client's state decides.
    if (queryClient.isMutating({ mutationKey }) > 0) return;
    // `replace` prevents that Back leads to a finished checkout. A callback of `mutate` would not run after the visitor has left the
    // screen.
    const pending = pendingOn(checkoutDay());
    setPendingOrder(pending);
    purchase.mutate(
      { pending },
      {
        // Another host may answer with anything.
        onSuccess: (order?: Order) =>
          navigate(screens.orders, { replace: true, state: { boughtOrder: order?._id } }),
      },
    );
  };

  return { pendingOrder, way, openedPrice, isOther, place, isPending, error: purchase.error };
};

/** An earlier call, whose response was lost, may have placed the order with another address. If the order has been sent since, its address stays. */
const sentTo = async (order: Order, deliveryAddress: string): Promise<Order> => {
  const address = tidyAddress(deliveryAddress) ?? '';
  if (address === (order.deliveryAddress ?? '')) return order;
  return await correctAddress(order._id, address).catch((error) => {
    if (isRefusal(error)) return order;
    throw error;
  });
};

const shownParts = ({ title, author, price, way, total }: OrderedBook): string =>
  JSON.stringify([title, author, price, way, total]);

/**
 * @returns the day of a checkout (spec, section 3): today by the device's clock. If the store has refused that day because the clock is
 * wrong, today by the store's clock, in the device's time zone.
 */
export const checkoutDay = (): string => {
  const day = new Date(Date.now()).toDateString();
  return isCheckoutDay(day, storeNow()) ? day : new Date(storeNow()).toDateString();
};

export const isOfAnotherDay = (error: unknown): boolean => fieldErrorIn(error, 'time') !== undefined;

/** True if the store has refused the order for good. Without a session, the store has not read the order. */
const isRefusal = (error: Error): boolean =>
  error instanceof ApiProblem && !isTransient(error) && !isUnread(error);
