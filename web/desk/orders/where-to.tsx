import { useQueryClient } from '@tanstack/react-query';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { refetchBesideLists } from '../../api/desk-order-queries.ts';
import { deskOrdersKey, replaceInLists, setAddress } from '../../api/desk-queries.ts';
import { DeliveryAddress } from '../../components/address-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { Tag } from '../tag.tsx';

/** The address that an order is sent to. The owner may change it for the buyer. */
export const WhereTo = ({ order }: { order: DeskOrder }) => {
  const queryClient = useQueryClient();
  if (!storeConfig.hasDelivery) return null;
  return (
    <DeliveryAddress
      orderId={order._id}
      title={order.title}
      address={order.deliveryAddress ?? undefined}
      isOpen={order.state === 'new' && order.buyer.email !== ''}
      save={async (deliveryAddress) => {
        await replaceInLists(queryClient, deskOrdersKey, await setAddress(order._id, deliveryAddress));
        void refetchBesideLists(queryClient);
      }}
    >
      {order.addressCorrectedAt !== null && <Tag>Corrected</Tag>}
    </DeliveryAddress>
  );
};
