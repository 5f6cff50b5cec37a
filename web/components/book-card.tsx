import { type ComponentProps, memo } from 'react';
import { Link } from 'wouter';
import type { Book } from '../../contract/book.ts';
import { screens } from '../../contract/paths.ts';
import styles from './book-card.module.css';
import { ButtonLink } from './button.tsx';
import { Cover } from './cover.tsx';
import { Price } from './price.tsx';

type BookCardProps = {
  book: Book;
  /** The cover loads before everything else. */
  isFirst: boolean;
};

/** A book on the shelf. Its cover and its title lead to its page, BUY NOW to the checkout. */
export const BookCard = memo(({ book, isFirst }: BookCardProps) => (
  <article className={styles.card}>
    <div className="frame">
      {/* For the pointer alone: the title is the same link. */}
      <PageLink book={book} aria-hidden="true" tabIndex={-1}>
        <Cover book={book} isEager={isFirst} isFirst={isFirst} />
      </PageLink>
    </div>
    <h2 className={styles.title} title={book.title} dir="auto">
      <PageLink book={book} id={titleId(book)} isTitle>
        {book.title}
      </PageLink>
    </h2>
    <p className={`cut ${styles.author}`} title={book.author} dir="auto">
      {book.author}
    </p>
    <div className={`cluster ends ${styles.purchase}`}>
      <span className={styles.price}>
        <Price value={book.price.value} />
      </span>
      <ButtonLink
        id={buttonId(book)}
        href={screens.checkout(book._id)}
        aria-label={`BUY NOW: ${book.title}`}
        onClick={() => focus(buttonId(book))}
      >
        BUY NOW
      </ButtonLink>
    </div>
  </article>
));

type PageLinkProps = Pick<ComponentProps<'a'>, 'aria-hidden' | 'tabIndex' | 'id' | 'children'> & {
  book: Book;
  isTitle?: boolean;
};

const PageLink = ({ book, isTitle, ...rest }: PageLinkProps) => (
  <Link
    className={`${styles.link} ${isTitle ? 'clamp' : ''}`}
    href={screens.book(book._id)}
    onClick={() => focus(titleId(book))}
    {...rest}
  />
);

const titleId = ({ _id }: Book): string => `book-${_id}`;
const buttonId = ({ _id }: Book): string => `buy-${_id}`;

/** So that Back returns the focus to this card, also in a browser where a click does not focus a link. */
const focus = (id: string): void => document.getElementById(id)?.focus({ preventScroll: true });
