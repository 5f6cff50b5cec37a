import { useQuery } from '@tanstack/react-query';
import type { SignedIn } from '../../../contract/session.ts';
import { bookQuery } from '../../api/catalogue.ts';
import { ordersOfBookQuery, waysQuery } from '../../api/orders.ts';
import { Fetched } from '../../components/fetched.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { BookGone, OrderSummary } from './order-summary.tsx';
import { useDelivery } from './use-delivery.ts';

export const Checkout = ({ id, customer }: { id: string; customer: SignedIn }) => {
  const delivery = useDelivery(customer.email);
  const book = useQuery(bookQuery(id));
  const ways = useQuery(waysQuery);
  const { data: orders } = useQuery(ordersOfBookQuery(customer.email, id));
  const earlier = orders?.find(({ state }) => state === 'new' || state === 'sent');
  return (
    <main id="content" className="page">
      <ScreenHeading title="Check Out" isQuiet>
        Check Out
      </ScreenHeading>
      <Fetched query={book} problem="The book could not be fetched." whenMissing={<BookGone />}>
        {(book) => (
          <Fetched query={ways} problem="The ways to get the book could not be fetched.">
            {(ways) => <OrderSummary {...{ book, ways, customer, delivery, earlier }} />}
          </Fetched>
        )}
      </Fetched>
    </main>
  );
};
