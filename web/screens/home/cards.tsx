import { useLayoutEffect } from 'react';
import type { Book } from '../../../contract/book.ts';
import { BookCard } from '../../components/book-card.tsx';
import { restoreScroll } from '../../memory/scroll-restoration.ts';
import styles from './cards.module.css';

/** About two rows of a wide screen: their covers are worth fetching before anybody scrolls. */
const eagerCovers = 8;
const firstCovers = 4;

type CardsProps = {
  books: Book[];
  /** These are the books of an earlier search; the present one is not answered yet. */
  isOutdated: boolean;
  onCheckoutLikely: () => void;
};

export const Cards = ({ books, isOutdated, onCheckoutLikely }: CardsProps) => {
  useLayoutEffect(restoreScroll, []);
  return (
    <ul className={styles.cards} aria-label="Books" aria-busy={isOutdated}>
      {books.map((book, index) => (
        <li key={book._id}>
          <BookCard
            book={book}
            isEager={index < eagerCovers}
            isFirst={index < firstCovers}
            onCheckoutLikely={onCheckoutLikely}
          />
        </li>
      ))}
    </ul>
  );
};
