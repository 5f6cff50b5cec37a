import { useInfiniteQuery } from '@tanstack/react-query';
import { customerOrdersQuery } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { Price } from '../../components/price.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { Time } from '../time.tsx';
import styles from './customer-panel.module.css';

export const CustomerOrders = ({ id }: { id: string }) => {
  const list = useInfiniteQuery(customerOrdersQuery(id));
  const { data, error, isError, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = list;
  const orders = data?.pages.flatMap((page) => page.body);
  return (
    <section className={styles.section}>
      <h3>Orders</h3>
      {isPending && <Loading />}
      {isError && (
        <TryAgain
          problem="The orders could not be fetched."
          error={error}
          onTryAgain={orders ? fetchNextPage : refetch}
        />
      )}
      {orders?.length === 0 && <p className={styles.none}>No orders yet.</p>}
      {orders && orders.length > 0 && (
        <ul className={styles.orders}>
          {orders.map((order) => (
            <li key={order._id}>
              <span>
                <cite dir="auto">{order.title}</cite> <span dir="auto">{order.author}</span>
              </span>
              <span>
                <Price value={order.price} /> · <Time iso={order.placedAt} />
                {order.state === 'new' && ' · not sent yet'}
                {order.state === 'withdrawn' && ' · withdrawn'}
              </span>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && !isError && (
        <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
          Show more orders
        </Button>
      )}
    </section>
  );
};
