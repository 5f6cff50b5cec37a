import { type MouseEvent, memo, type ReactNode } from 'react';
import type { Book } from '../../contract/book.ts';
import type { BookFilters } from '../../contract/book-search.ts';
import { screens } from '../../contract/paths.ts';
import { numberText, withoutSeries } from '../../contract/series.ts';
import { useIsPainted } from '../api/painted-screen.ts';
import { type Block, blocksOf, useBlock } from '../list/blocks.ts';
import styles from './book-grid.module.css';
import { BookLink } from './book-link.tsx';
import { ButtonLink } from './button.tsx';
import { Cover } from './cover.tsx';
import { Price } from './price.tsx';

/** The number of columns when the page was opened: tokens.css sets it by the width of the window. */
const columns = import.meta.env.SSR
  ? 1
  : Number(getComputedStyle(document.documentElement).getPropertyValue('--columns')) || 1;
/** Covers that are fetched first: about one row, or the cover that a phone shows and the next one. */
const firstCovers = Math.max(2, columns);
/** The height of a card and of a row, for the blocks that are not rendered yet. A window of three columns shows no rows. */
const heightPx = { card: 450, row: columns < 3 ? 145 : 450 };
/** Books in a block: whole rows for any number of columns. A phone takes 80 ms to render a block. */
const cardsPerBlock = 12;
/** Cards that are rendered at once. The server paints results, so there the number is that of any window. */
const firstCards = { shelf: 3 * columns, results: cardsPerBlock, named: 36 };

type BookGridProps = {
  books: Book[];
  /** `books` are all books of the list. */
  isComplete: boolean;
  /** True if the books belong to the previous search: the response to the current one has not arrived. */
  isOutdated?: boolean;
  /** True if little is above the books: their covers are what a visitor sees first, and a narrow window shows each book as a row. */
  asRows?: boolean;
  /** The author or the series of the books. */
  named?: BookFilters | undefined;
  /** Shown below each book. */
  children?: ReactNode;
};

/** A list in HTML allows no elements between itself and its items. */
const list = { role: 'list', 'aria-label': 'Books' };

export const BookGrid = ({ books, isComplete, isOutdated = false, ...look }: BookGridProps) => {
  const first = firstCards[look.named ? 'named' : look.asRows ? 'results' : 'shelf'];
  // A painted page has only the first blocks: its policy allows no heights of empty ones.
  const isPainted = useIsPainted();
  return (
    <div {...list} className={`stack ${styles.blocks}`} aria-busy={isOutdated} data-as-rows={look.asRows}>
      {blocksOf(isPainted ? books.slice(0, first) : books, cardsPerBlock).map((block) => (
        <Cards
          key={block.start}
          {...{ block, ...look }}
          isFirst={block.start < first}
          listSize={isComplete ? books.length : -1}
        />
      ))}
    </div>
  );
};

type CardsProps = Pick<BookGridProps, 'asRows' | 'named' | 'children'> & {
  block: Block<Book>;
  isFirst: boolean;
  listSize: number;
};

const Cards = ({ block, isFirst, listSize, asRows = false, named, children }: CardsProps) => {
  const { start, items } = block;
  const { ref, emptyPx } = useBlock<Book, HTMLDivElement>(block, {
    isFirst,
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
          <BookCard
            {...{ book, asRows, children }}
            isInSeries={named?.series !== undefined}
            isFirst={asRows && start + at < firstCovers}
          />
        </div>
      ))}
    </div>
  );
};

type BookCardProps = Pick<BookGridProps, 'children'> & {
  book: Book;
  /** True if the cover loads before everything else. */
  isFirst: boolean;
  asRows: boolean;
  /** True in the list of a series: the card has the book's number in place of the series. */
  isInSeries: boolean;
};

/** A book on the shelf. The whole card leads to its page, and BUY NOW to the checkout. Back returns the focus to a link by its id. */
const BookCard = memo(({ book, isFirst, asRows, isInSeries, children }: BookCardProps) => (
  <article className={`stack tight rises ${styles.card}`}>
    <div className="frame">
      <Cover book={book} isEager={isFirst} isFirst={isFirst} size={asRows ? 'listed' : 'card'} />
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
