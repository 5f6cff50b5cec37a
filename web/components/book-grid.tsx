import type { ReactNode } from 'react';
import type { Book } from '../../contract/book.ts';
import type { BookFilters } from '../api/catalogue.ts';
import { type Block, blocksOf, useBlock } from '../list/blocks.ts';
import { BookCard } from './book-card.tsx';
import styles from './book-grid.module.css';

/** The number of columns when the page was opened: tokens.css sets it by the width of the window. */
const columns = import.meta.env.SSR
  ? 1
  : Number(getComputedStyle(document.documentElement).getPropertyValue('--columns')) || 1;
/** Covers that are fetched first: about one row, or the cover that a phone shows and the next one. */
const firstCovers = Math.max(2, columns);
/** Cards at the start of the list: more than the first screen shows. */
const firstCards = 3 * columns;
/** The height of a card and of a row, for the blocks that are not rendered yet. A window of three columns shows no rows. */
const heightPx = { card: 450, row: columns < 3 ? 145 : 450 };
/** Books in a block: whole rows for any number of columns. A phone takes 80 ms to render a block. */
const cardsPerBlock = 12;

type BookGridProps = {
  books: Book[];
  /** `books` are all books of the list. */
  isComplete: boolean;
  /** True if the books belong to the previous search: the response to the current one has not arrived. */
  isOutdated?: boolean;
  /** True if little is above the books: their covers are what a visitor sees first, and a narrow window shows each book as a row. */
  asRows?: boolean;
  /** The author or the series of the books, which are all rendered at first, as on the page that the server paints. */
  named?: BookFilters | undefined;
  /** Shown below each book. */
  children?: ReactNode;
};

/** A list in HTML allows no elements between itself and its items. */
const list = { role: 'list', 'aria-label': 'Books' };

export const BookGrid = ({ books, isComplete, isOutdated = false, ...look }: BookGridProps) => (
  <div {...list} className={`stack ${styles.blocks}`} aria-busy={isOutdated} data-as-rows={look.asRows}>
    {blocksOf(books, cardsPerBlock).map((block) => (
      <Cards key={block.start} block={block} listSize={isComplete ? books.length : -1} {...look} />
    ))}
  </div>
);

type CardsProps = Pick<BookGridProps, 'asRows' | 'named' | 'children'> & {
  block: Block<Book>;
  listSize: number;
};

const Cards = ({ block, listSize, asRows = false, named, children }: CardsProps) => {
  const { start, items } = block;
  const isInSeries = named?.series !== undefined;
  const { ref, emptyPx } = useBlock<Book, HTMLDivElement>(block, {
    isFirst: named !== undefined || start < firstCards,
    guessPx: (items.length * heightPx[asRows ? 'row' : 'card']) / columns,
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
          <BookCard {...{ book, isInSeries, children }} isFirst={asRows && start + at < firstCovers} />
        </div>
      ))}
    </div>
  );
};
