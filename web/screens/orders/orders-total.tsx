import type { InfiniteData } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import { amountToCents, centsToAmount } from '../../../contract/money.ts';
import type { Order } from '../../../contract/order.ts';
import {
  ordersTotalHeader,
  readOrdersTotal,
  type OrdersTotal as Total,
} from '../../../contract/orders-total.ts';
import type { ApiResponse } from '../../api/client.ts';
import { Price } from '../../components/price.tsx';
import styles from './orders.module.css';

type OrdersTotalProps = {
  list: InfiniteData<ApiResponse<Order[]>> | undefined;
  /** Those that have been fetched. */
  orders: readonly Order[];
};

/** How many books the customer has, and what they cost. The row of a single one says it. */
export const OrdersTotal = ({ list, orders }: OrdersTotalProps) => {
  const { books, amount } = totalIn(list) ?? totalOf(orders);
  if (books < 2) return null;
  return (
    <p className={styles.total}>
      <strong>{counted(books, 'book')}</strong>, <Price value={amount} />
    </p>
  );
};

/** @returns the total of a list that has several pages, of which some may not be here. */
const totalIn = (list: OrdersTotalProps['list']): Total | undefined =>
  readOrdersTotal(list?.pages[0]?.headers.get(ordersTotalHeader) ?? null);

const totalOf = (orders: readonly Order[]): Total => {
  const kept = orders.filter(({ state }) => state !== 'withdrawn');
  const cents = kept.reduce((sum, { price }) => sum + (amountToCents(price) ?? 0), 0);
  return { books: kept.length, amount: centsToAmount(cents) };
};
