import { type MouseEvent, memo, type ReactNode } from 'react';
import type { Book } from '../../contract/book.ts';
import { screens } from '../../contract/paths.ts';
import { numberText, withoutSeries } from '../../contract/series.ts';
import styles from './book-card.module.css';
import { BookLink } from './book-link.tsx';
import { ButtonLink } from './button.tsx';
import { Cover } from './cover.tsx';
import { Price } from './price.tsx';

type BookCardProps = {
  book: Book;
  /** True if the cover loads before everything else. */
  isFirst: boolean;
  /** True if a narrow window shows the book as a row. */
  asRow: boolean;
  /** True in the list of a series: the card has the book's number in place of the series. */
  isInSeries: boolean;
  /** Shown below the button. */
  children?: ReactNode;
};

/** A book on the shelf. The whole card leads to its page, and BUY NOW to the checkout. Back returns the focus to a link by its id. */
export const BookCard = memo(({ book, isFirst, asRow, isInSeries, children }: BookCardProps) => (
  <article className={`stack tight rises ${styles.card}`}>
    <div className="frame">
      <Cover book={book} isEager={isFirst} isFirst={isFirst} size={asRow ? 'listed' : 'card'} />
    </div>
    <h2 className={styles.title} title={book.title} dir="auto">
      <BookLink
        id={`book-${book._id}`}
        className={`clamp ${styles.link}`}
        bookId={book._id}
        onClick={takeFocus}
      >
        {isInSeries ? withoutSeries(book.title) : book.title}
      </BookLink>
    </h2>
    <p className="cut soft" title={book.author} dir="auto">
      {isInSeries && book.seriesNumber && `${numberText(book.seriesNumber, 'Book')} · `}
      {book.author}
    </p>
    <div className={`cluster ends ${styles.purchase}`}>
      <span className={styles.price}>
        <Price value={book.price.value} />
      </span>
      <ButtonLink
        id={`buy-${book._id}`}
        href={screens.checkout(book._id)}
        aria-label={`BUY NOW: ${book.title}`}
        onClick={takeFocus}
      >
        BUY NOW
      </ButtonLink>
    </div>
    {children}
  </article>
));

/** Safari does not focus a link that is clicked. */
const takeFocus = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.focus({ preventScroll: true });
