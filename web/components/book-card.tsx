import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Book } from '../../contract/book.ts';
import { screens } from '../../contract/paths.ts';
import styles from './book-card.module.css';
import { ButtonLink } from './button.tsx';
import { Cover } from './cover.tsx';
import { Frame } from './frame.tsx';
import { Price } from './price.tsx';

type BookCardProps = {
  book: Book;
  /** The cover loads at once, not only when it is near the viewport. */
  isEager: boolean;
  /** The cover loads before everything else. */
  isFirst: boolean;
  /** Called when the visitor is about to press BUY NOW: the pointer or the focus is on it. */
  onCheckoutLikely: () => void;
};

/** A book on the shelf. Its cover and its title lead to the checkout, as BUY NOW does. */
export const BookCard = memo(({ book, isEager, isFirst, onCheckoutLikely }: BookCardProps) => (
  <article className={styles.card}>
    <Frame>
      <PointerLink book={book} onCheckoutLikely={onCheckoutLikely}>
        <Cover book={book} isEager={isEager} isFirst={isFirst} />
      </PointerLink>
    </Frame>
    {/* The label, because the link inside is hidden from screen readers. */}
    <h2 className={styles.title} title={book.title} aria-label={book.title} dir="auto">
      <PointerLink book={book} onCheckoutLikely={onCheckoutLikely}>
        {book.title}
      </PointerLink>
    </h2>
    <p className={styles.author} title={book.author} dir="auto">
      {book.author}
    </p>
    <div className={styles.purchase}>
      <span className={styles.price}>
        <Price value={book.price.value} />
      </span>
      <ButtonLink
        id={buttonId(book)}
        href={screens.checkout(book._id)}
        aria-label={`BUY NOW: ${book.title}`}
        transition
        onClick={() => focusButton(book)}
        onPointerEnter={onCheckoutLikely}
        onFocus={onCheckoutLikely}
      >
        BUY NOW
      </ButtonLink>
    </div>
  </article>
));

type PointerLinkProps = { book: Book; onCheckoutLikely: () => void; children: ReactNode };

/** A link for the pointer alone: with the keyboard and for a screen reader, a card has one link, BUY NOW. */
const PointerLink = ({ book, onCheckoutLikely, children }: PointerLinkProps) => (
  <Link
    className={styles.link}
    href={screens.checkout(book._id)}
    aria-hidden="true"
    tabIndex={-1}
    transition
    onClick={() => focusButton(book)}
    onPointerEnter={onCheckoutLikely}
  >
    {children}
  </Link>
);

const buttonId = ({ _id }: Book): string => `buy-${_id}`;

/** So that Back returns the focus to this card, also in a browser where a click does not focus a link. */
const focusButton = (book: Book): void =>
  document.getElementById(buttonId(book))?.focus({ preventScroll: true });
