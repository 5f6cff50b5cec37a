import type { Book } from '../../../contract/book.ts';
import { BookCard } from '../../components/book-card.tsx';
import { useRowWindow } from '../../list/use-row-window.ts';
import styles from './book-grid.module.css';

/** As tokens.css has them for the width in which the page was opened. */
const columns = import.meta.env.SSR
  ? 1
  : Number(getComputedStyle(document.documentElement).getPropertyValue('--columns')) || 1;
/** Fetched before the visitor scrolls: about a row, or the one that a phone shows and the next. */
const eagerCovers = Math.max(2, columns);
const firstCovers = columns;

type BookGridProps = {
  /** Another list has another id. */
  listId: string;
  books: Book[];
  /** `books` are all books of the list. */
  isComplete: boolean;
  /** The books are those of the search before: the response to the current one has not arrived. */
  isOutdated: boolean;
  /** The first covers are what the visitor sees first: nothing is above them. */
  isFirstSeen: boolean;
  /** Called when the visitor is about to press BUY NOW. */
  onCheckoutLikely: () => void;
};

/** The cards of the books, in the order of the list. A long list renders those near the viewport. */
export const BookGrid = ({
  listId,
  books,
  isComplete,
  isOutdated,
  isFirstSeen,
  onCheckoutLikely,
}: BookGridProps) => {
  const { slots, listProps } = useRowWindow({ kind: 'shelf', id: listId, items: books, keyOf: idOf, guess });
  return (
    <ul className={styles.grid} aria-label="Books" aria-busy={isOutdated} {...listProps}>
      {slots.map((slot) =>
        'gapPx' in slot ? (
          <li key={slot.key} className={styles.gap} aria-hidden="true" style={{ blockSize: slot.gapPx }} />
        ) : (
          <li
            key={slot.key}
            data-key={slot.key}
            data-index={slot.index}
            aria-posinset={slot.index + 1}
            aria-setsize={isComplete ? books.length : -1}
          >
            <BookCard
              book={slot.item}
              isEager={isFirstSeen && slot.index < eagerCovers}
              isFirst={isFirstSeen && slot.index < firstCovers}
              onCheckoutLikely={onCheckoutLikely}
            />
          </li>
        ),
      )}
    </ul>
  );
};

const idOf = (book: Book): string => book._id;

/** Assumed until measured. */
const guess = { columns, rowPx: 480 };
