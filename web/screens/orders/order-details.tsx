import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Order } from '../../../contract/order.ts';
import { correctAddress } from '../../api/orders.ts';
import { DeliveryAddress } from '../../components/address-form.tsx';
import { dayText, timeText } from '../../components/days.ts';
import { storeConfig } from '../../store-config.ts';
import styles from './order-details.module.css';
import { fromList, receiptAddress } from './receipt-address.ts';

type OrderDetailsProps = {
  id: string;
  order: Order;
  onCorrected: (order: Order) => void;
};

/** The rest of an order, below its row. */
export const OrderDetails = ({ id, order, onCorrected }: OrderDetailsProps) => (
  // The title may be written from right to left.
  <div id={id} className={styles.details} dir="ltr">
    <dl>
      <Fact name="Order">{order._id}</Fact>
      <Fact name="Placed">
        <time dateTime={order.placedAt}>{timeText(new Date(order.placedAt))}</time>
      </Fact>
      <Fact name="State">{stateText(order)}</Fact>
    </dl>
    {storeConfig.hasDelivery && (
      <DeliveryAddress
        orderId={order._id}
        title={order.title}
        address={order.deliveryAddress}
        isOpen={order.state === 'new'}
        save={async (deliveryAddress) => onCorrected(await correctAddress(order._id, deliveryAddress))}
      />
    )}
    {/* The id: Back returns the focus to it. */}
    <Link
      id={`receipt-${order._id}`}
      className={styles.receipt}
      href={receiptAddress(order._id)}
      state={fromList}
    >
      Receipt and bookplate
    </Link>
  </div>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt> <dd>{children}</dd>
  </div>
);

/** @returns what became of an order, such as `Sent 23 Nov`. */
export const stateText = ({ state, sentAt, withdrawnAt }: Order): string => {
  const [gone, waits] = storeConfig.hasDelivery
    ? ['Sent', 'Not sent yet']
    : ['Handed over', 'Not handed over yet'];
  const sent = sentAt ? `${gone} ${dayText(new Date(sentAt))}` : waits;
  if (state !== 'withdrawn' || !withdrawnAt) return sent;
  const withdrawn = `Withdrawn ${dayText(new Date(withdrawnAt))}`;
  return sentAt ? `${sent}. ${withdrawn}` : withdrawn;
};
