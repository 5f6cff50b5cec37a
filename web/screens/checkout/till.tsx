import type { Book } from '../../../contract/book.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { ApiProblem } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { type Column, Ledger } from '../../components/ledger.tsx';
import { Mat } from '../../components/mat.tsx';
import { formatPrice, Price } from '../../components/price.tsx';
import type { Attempt, OrderedBook } from './attempt.ts';
import { GoneBook } from './gone-book.tsx';
import styles from './till.module.css';
import { usePurchase } from './use-purchase.ts';

/** The book on the counter, and the button that buys it. */
export const Till = ({ book, customer }: { book: Book; customer: SignedIn }) => {
  const { attempt, hasNewPrice, place, isPending, error } = usePurchase(book, customer);
  if (codeOf(error) === 'BOOK_GONE') return <GoneBook />;
  return (
    <div className={styles.till}>
      <Mat>
        <Cover book={book} isEager isFirst />
      </Mat>
      <div className={styles.bill}>
        <Ledger label="Your order" columns={columns} rows={[attempt.ordered]} keyOf={() => attempt.key} />
        <div className={styles.end}>
          <p className={styles.words} role="status">
            {isPending ? 'Placing your order…' : wordsFor(attempt, hasNewPrice, error)}
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

const wordsFor = (attempt: Attempt, hasNewPrice: boolean, error: Error | null): string => {
  if (codeOf(error) === 'PRICE_CHANGED') {
    return hasNewPrice
      ? `The price is now ${formatPrice(attempt.ordered.price)}.`
      : 'The price has changed, and we could not see the new one. Nothing was bought.';
  }
  if (error instanceof ApiProblem && error.status < 500) return 'The order was not taken.';
  if (error) return 'We have not heard whether the order arrived. Trying again does not buy the book twice.';
  if (attempt.wasSent) return 'This order was sent before. Sending it again does not buy the book twice.';
  return '';
};

const buttonFor = (hasNewPrice: boolean, error: Error | null): string => {
  if (!error) return 'Checkout';
  return codeOf(error) === 'PRICE_CHANGED' && hasNewPrice ? 'Checkout at the new price' : 'Try again';
};

const codeOf = (error: Error | null) => (error instanceof ApiProblem ? error.code : undefined);
