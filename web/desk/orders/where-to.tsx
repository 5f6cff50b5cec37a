import { useQueryClient } from '@tanstack/react-query';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { showOrders } from '../../api/desk-order-queries.ts';
import { setAddress } from '../../api/desk-queries.ts';
import { DeliveryAddress } from '../../components/address-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { Tag } from '../tag.tsx';

/** The address that an order is sent to, also one from before `DELIVERY=off`. The owner may change it for the buyer. */
export const WhereTo = ({ order }: { order: DeskOrder }) => {
  const queryClient = useQueryClient();
  if (!storeConfig.hasDelivery && order.deliveryAddress === null) return null;
  return (
    <DeliveryAddress
      orderId={order._id}
      title={order.title}
      address={order.deliveryAddress ?? undefined}
      isOpen={order.state === 'new' && order.buyer.email !== ''}
      save={async (deliveryAddress) =>
        showOrders(queryClient, [await setAddress(order._id, deliveryAddress)])
      }
    >
      {order.addressCorrectedAt !== null && <Tag>Corrected</Tag>}
    </DeliveryAddress>
  );
};
