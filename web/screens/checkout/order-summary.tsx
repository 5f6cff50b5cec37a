import type { Book } from '../../../contract/book.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { ApiProblem } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { Frame } from '../../components/frame.tsx';
import { formatPrice, Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { GoneBook } from './gone-book.tsx';
import styles from './order-summary.module.css';
import type { OrderedBook, PendingOrder } from './pending-order.ts';
import { usePurchase } from './use-purchase.ts';

/** The cover, the order as it will be placed, and the button that places it. */
export const OrderSummary = ({ book, customer }: { book: Book; customer: SignedIn }) => {
  const { pendingOrder, hasNewPrice, place, isPending, error } = usePurchase(book, customer);
  if (codeOf(error) === 'BOOK_GONE') return <GoneBook />;
  return (
    <div className={styles.summary}>
      <Frame>
        <Cover book={book} isEager isFirst />
      </Frame>
      <div className={styles.bill}>
        <ResponsiveTable
          label="Your order"
          columns={columns}
          rows={[pendingOrder.ordered]}
          keyOf={() => pendingOrder.key}
        />
        <div className={styles.end}>
          <p className={styles.words} role="status">
            {isPending ? 'Placing your order…' : wordsFor(pendingOrder, hasNewPrice, error)}
          </p>
          <Button weight="main" onClick={place} isBusy={isPending}>
            {buttonFor(hasNewPrice, error)}
          </Button>
        </div>
      </div>
    </div>
  );
};

const columns: Column<OrderedBook>[] = [
  { heading: 'Book Name', kind: 'title', cell: (ordered) => ordered.title },
  { heading: 'Author name', kind: 'words', cell: (ordered) => ordered.author },
  { heading: 'Quantity', kind: 'figure', cell: () => 1 },
  { heading: 'Price', kind: 'figure', cell: (ordered) => <Price value={ordered.price} /> },
  { heading: 'Checkout time', kind: 'figure', cell: (ordered) => ordered.time },
];

const wordsFor = (pendingOrder: PendingOrder, hasNewPrice: boolean, error: Error | null): string => {
  if (codeOf(error) === 'PRICE_CHANGED') {
    return hasNewPrice
      ? `The price is now ${formatPrice(pendingOrder.ordered.price)}.`
      : 'The price has changed, and we could not see the new one. Nothing was bought.';
  }
  if (error instanceof ApiProblem && error.status < 500) return 'The order was not taken.';
  if (error) return 'We have not heard whether the order arrived. Trying again does not buy the book twice.';
  if (pendingOrder.wasSent)
    return 'This order was sent before. Sending it again does not buy the book twice.';
  return '';
};

const buttonFor = (hasNewPrice: boolean, error: Error | null): string => {
  if (!error) return 'Checkout';
  return codeOf(error) === 'PRICE_CHANGED' && hasNewPrice ? 'Checkout at the new price' : 'Try again';
};

const codeOf = (error: Error | null) => (error instanceof ApiProblem ? error.code : undefined);
