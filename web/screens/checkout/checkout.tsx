import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignedIn } from '../../../contract/session.ts';
import { bookQuery } from '../../api/catalogue.ts';
import { ApiProblem } from '../../api/client.ts';
import { ordersOfBookQuery } from '../../api/orders.ts';
import { Loading } from '../../components/loading.tsx';
import { PlainPage } from '../../components/plain-page.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { BookGone } from './book-gone.tsx';
import { OrderSummary } from './order-summary.tsx';
import { useDeliveryAddress } from './use-delivery-address.ts';

/** The checkout of one book. */
export const Checkout = ({ id, customer }: { id: string; customer: SignedIn }) => (
  <PlainPage>
    <ScreenHeading title="Check Out" isQuiet>
      Check Out
    </ScreenHeading>
    <Purchase key={id} bookId={id} customer={customer} />
  </PlainPage>
);

const Purchase = ({ bookId, customer }: { bookId: string; customer: SignedIn }) => {
  const book = useQuery(bookQuery(bookId));
  const delivery = useDeliveryAddress(customer.email);
  const { data: orders } = useQuery(ordersOfBookQuery(customer.email, bookId, useQueryClient()));
  if (book.isPending) return <Loading />;
  // Checked before the data: after a failed refetch the query still has the book that was deleted meanwhile.
  if (book.error instanceof ApiProblem && book.error.status === 404) return <BookGone />;
  if (book.data) {
    const earlier = orders?.find(({ state }) => state !== 'withdrawn');
    return <OrderSummary book={book.data} customer={customer} delivery={delivery} earlier={earlier} />;
  }
  return <TryAgain problem="The book could not be fetched." error={book.error} onTryAgain={book.refetch} />;
};
