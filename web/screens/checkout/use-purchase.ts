import {
  type InfiniteData,
  type QueryClient,
  useIsMutating,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Book, BookInStock } from '../../../contract/book.ts';
import { tidyAddress } from '../../../contract/delivery-address.ts';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { correctAddress } from '../../api/address-calls.ts';
import { ApiProblem, isTransient, isUnread, retryTransient } from '../../api/client.ts';
import { placeOrder } from '../../api/order-calls.ts';
import { bookListsKey, bookQuery, type FoundBooks, ordersKey } from '../../api/queries.ts';
import { boughtOrderState } from '../../memory/bought-order.ts';
import { storageOf } from '../../memory/tab-storage.ts';
import { storeConfig } from '../../store-config.ts';
import {
  discardPendingOrder,
  type OrderedBook,
  openPendingOrder,
  sendPendingOrder,
} from './pending-order.ts';
import { forgetTypedAddress } from './use-delivery-address.ts';

/**
 * The purchase of one book. `openedPrice`: the one that the screen showed first. `hasNewPrice`: the store refused the order because of
 * its price, and the pending order has the new one. `place` sends the pending order, and shows the orders when it was taken.
 */
export const usePurchase = (book: BookInStock, customer: SignedIn, deliveryAddress: string) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [pendingOrder, setPendingOrder] = useState(() => pendingOrderOf(book, customer));
  const [openedPrice] = useState(pendingOrder.ordered.price);
  const [hasNewPrice, setHasNewPrice] = useState(false);

  const storage = storageOf(customer.email);
  const mutationKey = ['purchase', customer.email, book._id];
  const purchase = useMutation({
    mutationKey,
    mutationFn: async () => {
      const order = await sendPendingOrder(storage, book._id, pendingOrder, {
        send: () =>
          placeOrder(
            { ...customer, ...pendingOrder.ordered, ...(deliveryAddress.trim() && { deliveryAddress }) },
            pendingOrder.key,
          ),
        isUnread,
        isOffline: !navigator.onLine,
      });
      return storeConfig.hasDelivery ? await sentTo(order, deliveryAddress) : order;
    },
    retry: retryTransient,
    onSuccess: () => {
      discardPendingOrder(storage, book._id);
      forgetTypedAddress(customer.email);
      queryClient.removeQueries({ queryKey: ordersKey });
      if (book.copiesLeft === 1) takeOffShelf(queryClient, book._id);
    },
    onError: async (error) => {
      if (!isRefusal(error)) return;
      discardPendingOrder(storage, book._id);
      if (error instanceof ApiProblem && error.code === 'SOLD_OUT') takeOffShelf(queryClient, book._id);
      const currentBook = await queryClient.fetchQuery(bookQuery(book._id)).catch(() => book);
      const next = pendingOrderOf(currentBook, customer);
      setHasNewPrice(next.ordered.price !== pendingOrder.ordered.price);
      setPendingOrder(next);
    },
  });

  // Also while a checkout of the book that was left waits for the response to its order.
  const isPending = useIsMutating({ mutationKey }) > 0;

  const place = () => {
    // A double click comes before the button is rendered as busy, so the client's state decides.
    if (queryClient.isMutating({ mutationKey }) > 0) return;
    // `replace`, so that Back does not lead to a finished checkout. A callback of `mutate` does not run after the visitor
    // has left the screen.
    purchase.mutate(undefined, {
      onSuccess: (order) => navigate(screens.orders, { replace: true, state: boughtOrderState(order) }),
    });
  };

  return {
    pendingOrder,
    openedPrice,
    hasNewPrice,
    place,
    isPending,
    error: purchase.error,
  };
};

/** An earlier call, whose response was lost, may have placed the order with another address. It stays, if the order was sent since. */
const sentTo = async (order: Order, deliveryAddress: string): Promise<Order> => {
  const address = tidyAddress(deliveryAddress) ?? '';
  if (address === (order.deliveryAddress ?? '')) return order;
  return await correctAddress(order._id, address).catch((error) => {
    if (isRefusal(error)) return order;
    throw error;
  });
};

/** Takes a book that is sold out from the lists that home has shown, which keep their place. */
const takeOffShelf = (queryClient: QueryClient, id: string) =>
  queryClient.setQueriesData<InfiniteData<FoundBooks>>(
    { queryKey: bookListsKey },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, body: page.body.filter(({ _id }) => _id !== id) })),
      },
  );

const pendingOrderOf = (book: Book, customer: SignedIn) =>
  openPendingOrder(storageOf(customer.email), book._id, orderOf(book, new Date()));

const orderOf = (book: Book, now: Date): OrderedBook => ({
  title: book.title,
  author: book.author,
  price: book.price.value,
  time: now.toDateString(),
});

/** The store has refused the order for good. Without the session of its customer it has not read the order. */
const isRefusal = (error: Error): boolean =>
  error instanceof ApiProblem && !isTransient(error) && !isUnread(error);
