import { memo } from 'react';
import type { Book } from '../../contract/book.ts';
import { screens } from '../../contract/paths.ts';
import styles from './book-card.module.css';
import { ButtonLink } from './button.tsx';
import { Cover } from './cover.tsx';
import { Frame } from './frame.tsx';
import { Price } from './price.tsx';

type BookCardProps = {
  book: Book;
  /** Whether the cover loads at once, not only when it is near the viewport. */
  isEager: boolean;
  /** Whether the cover loads before everything else. */
  isFirst: boolean;
  /** Called when the visitor is about to press BUY NOW: the pointer or the focus is on it. */
  onCheckoutLikely: () => void;
};

/** A book on the shelf, with its link to the checkout. */
export const BookCard = memo(({ book, isEager, isFirst, onCheckoutLikely }: BookCardProps) => (
  <article className={styles.card}>
    <Frame>
      <Cover book={book} isEager={isEager} isFirst={isFirst} />
    </Frame>
    <h2 className={styles.title} title={book.title} dir="auto">
      {book.title}
    </h2>
    <p className={styles.author} title={book.author} dir="auto">
      {book.author}
    </p>
    <div className={styles.purchase}>
      <span className={styles.price}>
        <Price value={book.price.value} />
      </span>
      <ButtonLink
        id={`buy-${book._id}`}
        href={screens.checkout(book._id)}
        aria-label={`BUY NOW: ${book.title}`}
        onPointerEnter={onCheckoutLikely}
        onFocus={onCheckoutLikely}
      >
        BUY NOW
      </ButtonLink>
    </div>
  </article>
));
