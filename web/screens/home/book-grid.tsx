import type { Book } from '../../../contract/book.ts';
import { BookCard } from '../../components/book-card.tsx';
import { type Block, blocksOf, useBlock } from '../../list/blocks.ts';
import styles from './home.module.css';

/** The number of columns as the page was opened: tokens.css has it for the width of the window. */
const columns = import.meta.env.SSR
  ? 1
  : Number(getComputedStyle(document.documentElement).getPropertyValue('--columns')) || 1;
/** Fetched first: about a row, or the one that a phone shows and the next. */
const firstCovers = Math.max(2, columns);
/** More than the first screen shows. */
const firstCards = 3 * columns;
/** The share of a card in the height of the list, until its block was rendered. */
const cardPx = 480 / columns;
/** Whole rows of any number of columns. A phone takes 80 ms to render them. */
const cardsPerBlock = 12;

type BookGridProps = {
  books: Book[];
  /** `books` are all books of the list. */
  isComplete: boolean;
  /** The books are those of the search before: the response to the current one has not arrived. */
  isOutdated: boolean;
  /** The first covers are what the visitor sees first: nothing is above them. */
  isFirstSeen: boolean;
};

/** A list in HTML has no elements between it and its items. */
const list = { role: 'list', 'aria-label': 'Books' };

/** The cards of the books, in the order of the list. */
export const BookGrid = ({ books, isComplete, isOutdated, isFirstSeen }: BookGridProps) => (
  <div {...list} className={`stack ${styles.blocks}`} aria-busy={isOutdated}>
    {blocksOf(books, cardsPerBlock).map((block) => (
      <Cards
        key={block.start}
        block={block}
        listSize={isComplete ? books.length : -1}
        firstCount={isFirstSeen ? firstCovers : 0}
      />
    ))}
  </div>
);

type CardsProps = { block: Block<Book>; listSize: number; firstCount: number };

const Cards = ({ block, listSize, firstCount }: CardsProps) => {
  const { start, items } = block;
  const { ref, emptyPx } = useBlock<Book, HTMLDivElement>(block, {
    isFirst: start < firstCards,
    guessPx: items.length * cardPx,
  });
  const itemOf = (index: number) => ({
    role: 'listitem',
    'aria-posinset': index + 1,
    'aria-setsize': listSize,
    'data-index': index,
  });
  return (
    <div ref={ref} className={styles.block} style={{ blockSize: emptyPx }}>
      {(emptyPx === undefined ? items : []).map((book, at) => (
        <div key={book._id} {...itemOf(start + at)} data-key={book._id}>
          <BookCard book={book} isFirst={start + at < firstCount} />
        </div>
      ))}
    </div>
  );
};
