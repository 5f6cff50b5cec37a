import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { Order } from '../../../contract/order.ts';
import { correctAddress } from '../../api/address-calls.ts';
import type { ApiResponse } from '../../api/client.ts';
import { ordersKey } from '../../api/queries.ts';
import { DeliveryAddress } from '../../components/address-form.tsx';
import { storeConfig } from '../../store-config.ts';
import styles from './orders.module.css';
import { Withdrawal } from './withdrawal.tsx';

/** The title of the bought book and, below it, where it is sent and how it is taken back. */
export const BookOfOrder = ({ order }: { order: Order }) => {
  const queryClient = useQueryClient();
  const show = (changed: Partial<Order>) => {
    const replace = (one: Order): Order => (one._id === changed._id ? { ...one, ...changed } : one);
    queryClient.setQueriesData<InfiniteData<ApiResponse<Order[]>>>(
      { queryKey: ordersKey },
      (list) =>
        list && { ...list, pages: list.pages.map((page) => ({ ...page, body: page.body.map(replace) })) },
    );
  };
  return (
    <>
      {order.title}
      <span className={styles.acts}>
        {storeConfig.hasDelivery && (
          <DeliveryAddress
            orderId={order._id}
            title={order.title}
            address={order.deliveryAddress}
            isOpen={order.state === 'new'}
            save={async (deliveryAddress) => show(await correctAddress(order._id, deliveryAddress))}
          />
        )}
        <Withdrawal order={order} onWithdrawn={show} />
      </span>
    </>
  );
};
