import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { Link } from 'wouter';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { ListPage } from '../../api/calls.ts';
import { ordersKey } from '../../api/orders.ts';
import { Cover } from '../../components/cover.tsx';
import formStyles from '../../components/inline-form.module.css';
import { bookIn } from './book-in-order.ts';
import styles from './book-of-order.module.css';
import { useOpenOrder } from './open-orders.ts';
import { OrderDetails } from './order-details.tsx';
import { Withdrawal } from './withdrawal.tsx';

/**
 * The bought book, which leads to its page. Below it is the way to take it back, and what opens the rest of the order. The style sheet
 * shows the words of buttons and marks: the text of the cell is that of the order alone (spec, section 2).
 */
export const BookOfOrder = ({ order }: { order: Order }) => {
  const queryClient = useQueryClient();
  const [isOpen, toggle] = useOpenOrder(order._id);
  const detailsId = useId();
  const show = (changed: Partial<Order>) => {
    const replace = (one: Order): Order => (one._id === changed._id ? { ...one, ...changed } : one);
    queryClient.setQueriesData<InfiniteData<ListPage<Order>>>(
      { queryKey: ordersKey },
      (list) =>
        list && { ...list, pages: list.pages.map((page) => ({ ...page, body: page.body.map(replace) })) },
    );
  };
  const onWithdrawn = (withdrawn: Partial<Order>) => {
    show(withdrawn);
    const lists = queryClient.getQueriesData<InfiniteData<ListPage<Order>>>({ queryKey: ordersKey });
    // The store has the sum of a list in several pages.
    if (lists.some(([, list]) => list?.pages[0]?.next))
      void queryClient.invalidateQueries({ queryKey: ordersKey });
  };
  return (
    <span className={styles.book} data-is-withdrawn={order.state === 'withdrawn' || undefined}>
      {/* For the pointer alone: the title is the same link. */}
      <span className={styles.cover}>
        <BookLink order={order} aria-hidden="true" tabIndex={-1}>
          <Cover book={bookIn(order)} size="order" isLabelled />
        </BookLink>
      </span>
      <span className={styles.words}>
        <BookLink order={order} id={`order-${order._id}`}>
          {order.title}
        </BookLink>
        {order.bookGone && <span className={styles.gone} data-text="No longer sold" />}
        <span className={styles.acts}>
          <button
            type="button"
            className={`${formStyles.opener} ${styles.details}`}
            data-text="Details"
            aria-label={`Details: ${order.title}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={toggle}
          />
          <Withdrawal order={order} onWithdrawn={onWithdrawn} />
        </span>
      </span>
      {isOpen && <OrderDetails id={detailsId} order={order} onCorrected={show} />}
    </span>
  );
};

type BookLinkProps = Pick<ComponentProps<'a'>, 'aria-hidden' | 'tabIndex' | 'id' | 'children'> & {
  order: Order;
};

/** A deleted book has no page to lead to. */
const BookLink = ({ order, children, ...rest }: BookLinkProps) =>
  order.bookGone ? (
    <span>{children}</span>
  ) : (
    <Link className={styles.link} href={screens.book(order.bookId)} {...rest}>
      {children}
    </Link>
  );
