import { counted } from '../../../contract/counted.ts';
import { amountToCents, centsToAmount } from '../../../contract/money.ts';
import type { Order } from '../../../contract/order.ts';
import { Price } from '../../components/price.tsx';
import styles from './orders.module.css';

/** How many books the customer has, and what they cost. The row of a single one says it. */
export const OrdersTotal = ({ orders }: { orders: readonly Order[] }) => {
  const kept = orders.filter(({ state }) => state !== 'withdrawn');
  if (kept.length < 2) return null;
  const cents = kept.reduce((sum, { price }) => sum + (amountToCents(price) ?? 0), 0);
  return (
    <p className={styles.total}>
      <strong>{counted(kept.length, 'book')}</strong>, <Price value={centsToAmount(cents)} />
    </p>
  );
};
