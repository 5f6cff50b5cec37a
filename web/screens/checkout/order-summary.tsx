import { useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { coverWords } from '../../../contract/cover-title.ts';
import type { Order } from '../../../contract/order.ts';
import { ApiProblem, codeOf } from '../../api/client.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Cover, Tint } from '../../components/cover.tsx';
import { BesideRows } from '../../components/cover-row/cover-row.tsx';
import { dayText } from '../../components/days.ts';
import { Notice } from '../../components/notice.tsx';
import { DeliveryPrice, Price } from '../../components/price.tsx';
import { roles } from '../../components/responsive-table.tsx';
import { stockText } from '../../components/stock-text.ts';
import { useStoreTime } from '../../components/use-store-time.ts';
import { withReason } from '../../components/with-reason.ts';
import { restorePlace } from '../../list/places.ts';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';
import { money, storeConfig } from '../../store-config.ts';
import { DeliveryFields } from './delivery-fields.tsx';
import styles from './order-summary.module.css';
import type { OrderedBook } from './pending-order.ts';
import type { Delivery } from './use-delivery.ts';
import { checkoutDay, isOfAnotherDay, usePurchase } from './use-purchase.ts';

type OrderSummaryProps = Omit<Parameters<typeof usePurchase>[0], 'day'> & {
  delivery: Delivery;
  /** The customer's last order of this book. */
  earlier: Order | undefined;
};

export const OrderSummary = ({ book, ways, customer, delivery, earlier }: OrderSummaryProps) => {
  const day = useStoreTime(checkoutDay);
  const purchase = usePurchase({ book, ways, delivery, customer, day });
  const { pendingOrder, way, isOther, place, isPending, error } = purchase;
  const shelf = useBackToShelf();
  useLayoutEffect(restorePlace, []);
  const actions = useRef<HTMLDivElement>(null);
  // On a short screen, the problem is outside the bar that stays in view.
  useLayoutEffect(() => {
    if (error) actions.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (codeOf(error) === 'BOOK_GONE') return <BookGone />;
  const { ordered } = pendingOrder;
  // An order that was sent may have taken the last copy itself.
  const isSoldOut = book.soldOut === true && !pendingOrder.wasSent && !isPending;
  const stock = stockText(book);
  return (
    <>
      <div className={styles.summary}>
        <Tint book={book} />
        <div className={`stack loose ${styles.slip}`}>
          <div className={styles.book}>
            <Cover book={book} isEager isFirst size="row" />
            <div className="stack tight">
              <h2 className="clamp" dir="auto">
                {coverWords(ordered).title}
              </h2>
              <p className="clamp byline" dir="auto">
                {ordered.author}
              </p>
              {stock && !isSoldOut && !pendingOrder.wasSent && <p className="problem">{stock}</p>}
            </div>
          </div>
          <Bill ordered={ordered} />
        </div>
        <div className={`stack loose ${styles.fields}`}>
          {/* If the book sells out after the buyer has typed an address, the field still shows it. */}
          {!(isSoldOut && !error) && <DeliveryFields {...{ ways, delivery, purchase }} />}
          {!isSoldOut && (
            <p className="soft">
              Signed in as {customer.email}.{' '}
              <Link className="linkish" {...shelf}>
                Back to the shelf
              </Link>
              {/* The orders arrive after the book: at the end, their line pushes nothing down. */}
              <span className="second" aria-live="polite">
                {earlier && !pendingOrder.wasSent && `You bought this on ${dayText(new Date(earlier.time))}.`}
              </span>
            </p>
          )}
        </div>
        <div
          ref={actions}
          className={`cluster ends sticky ${styles.actions}`}
          data-has-problem={error ? true : undefined}
        >
          <p className={`status ${error ? 'problem' : 'soft'}`} role="status">
            {statusMessage(purchase, isSoldOut)}
          </p>
          {isSoldOut ? (
            <ButtonLink variant="primary" {...shelf}>
              Back to the shelf
            </ButtonLink>
          ) : (
            <>
              <p className={styles.total}>
                {way && (
                  <span className="second">
                    Book <Price value={ordered.price} /> · Delivery <DeliveryPrice value={way.price.value} />
                  </span>
                )}
                <span className="cluster ends">
                  Total <Price value={ordered.total ?? ordered.price} />
                </span>
              </p>
              <Button variant="primary" onClick={place} isBusy={isPending}>
                {buttonLabel(isOther, error)}
              </Button>
            </>
          )}
        </div>
      </div>
      {isSoldOut && (
        <div className="stack loose rows">
          <BesideRows bookId={book._id} />
        </div>
      )}
    </>
  );
};

/** Shown in place of a checkout whose book was deleted or never existed. */
export const BookGone = () => (
  <Notice role="alert">
    <p>This book is no longer for sale.</p>
    <ButtonLink variant="primary" {...useBackToShelf()}>
      Back to the shelf
    </ButtonLink>
  </Notice>
);

const headings = ['Book Name', 'Author name', 'Quantity', 'Price', 'Checkout time'];

/** The table of the spec, section 2. Each heading stands beside its value. */
const Bill = ({ ordered: { title, author, price, time } }: { ordered: OrderedBook }) => (
  <table className={styles.bill} {...roles.table} aria-label="Your order">
    <thead {...roles.group}>
      <tr {...roles.row}>
        {headings.map((heading) => (
          <th key={heading} {...roles.head} scope="col">
            {heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody {...roles.group}>
      <tr {...roles.row}>
        {[title, author, 1, <Price key="price" value={price} />, time].map((value, index) => (
          <td key={headings[index]} {...roles.cell}>
            <span dir="auto">{value}</span>
          </td>
        ))}
      </tr>
    </tbody>
  </table>
);

const statusMessage = (
  { pendingOrder, way, isPending, isOther, openedPrice, error }: ReturnType<typeof usePurchase>,
  isSoldOut: boolean,
): string => {
  if (isPending) return 'Placing your order…';
  const { ordered, wasSent, wasOffline } = pendingOrder;
  const { title, author, price } = ordered;
  const code = codeOf(error);
  if (code === 'SOLD_OUT') return 'Sold out: the last copy has just been sold. You have bought nothing.';
  if (isSoldOut) return `Sold out: we have no copy left.${error ? ' You have bought nothing.' : ''}`;
  if (isChange(error) && !isOther)
    return 'This book, its price or its delivery has changed, and we could not see how. Nothing was bought.';
  if (code === 'DELIVERY_CHANGED' || code === 'WAY_MISSING') {
    const { total = price } = ordered;
    return `How you get it has changed: ${way ? `${way.name}, and ` : ''}the total is ${money.format(total)} now.`;
  }
  if (code === 'PRICE_CHANGED') {
    const before = ` It was ${money.format(openedPrice)} when you opened this page.`;
    return `The price is now ${money.format(price)}.${price === openedPrice ? '' : before}`;
  }
  if (code === 'BOOK_CHANGED') {
    const cost = price === openedPrice ? '' : ` It costs ${money.format(price)} now.`;
    return `This book has changed. It is now “${title}” by ${author}.${cost}`;
  }
  if (isOfAnotherDay(error)) {
    return 'The order was not taken: this device has another date than the shop. Set its clock, and try again.';
  }
  if (error instanceof ApiProblem && error.status < 500) return withReason('The order was not taken.', error);
  if (error) {
    return withReason(
      'We have not heard whether the order arrived. Trying again does not buy the book twice.',
      error,
    );
  }
  return wasSent && !wasOffline
    ? 'This order was sent before. Sending it again does not buy the book twice.'
    : '';
};

const changes = ['PRICE_CHANGED', 'BOOK_CHANGED', 'DELIVERY_CHANGED', 'WAY_MISSING'];
const isChange = (error: Error | null): boolean => changes.includes(codeOf(error) ?? '');

const buttonLabel = (isOther: boolean, error: Error | null): string => {
  const { orderButton } = storeConfig;
  // The law asks for the owner's words wherever the button orders.
  if (!error || orderButton !== 'Checkout') return orderButton;
  if (!isOther) return 'Try again';
  return codeOf(error) === 'BOOK_CHANGED' ? 'Checkout this book' : 'Checkout at the new price';
};
