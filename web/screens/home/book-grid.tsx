import type { Book } from '../../../contract/book.ts';
import { BookCard } from '../../components/book-card.tsx';
import styles from './book-grid.module.css';

/** One column, with one cover on the screen. */
const isPhone = window.matchMedia('(width < 40rem)').matches;
/** Fetched before the visitor scrolls: on a phone two covers, otherwise about a row. */
const eagerCovers = isPhone ? 2 : 5;
const firstCovers = isPhone ? 1 : 5;

type BookGridProps = {
  books: Book[];
  /** The books are those of the search before: the response to the current one has not arrived. */
  isOutdated: boolean;
  /** Called when the visitor is about to press BUY NOW. */
  onCheckoutLikely: () => void;
};

/** The cards of the books, in the order of the list. */
export const BookGrid = ({ books, isOutdated, onCheckoutLikely }: BookGridProps) => (
  <ul className={styles.grid} aria-label="Books" aria-busy={isOutdated}>
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
