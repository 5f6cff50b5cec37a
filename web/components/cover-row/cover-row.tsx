import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import type { Book, BooksBeside } from '../../../contract/book.ts';
import { paths, screens, withFilters } from '../../../contract/paths.ts';
import { compareVolumes } from '../../../contract/series.ts';
import { read } from '../../api/calls.ts';
import { frontQuery, keptForBack } from '../../api/catalogue.ts';
import { fromPage } from '../../api/painted-screen.ts';
import { BookLink } from '../book-link.tsx';
import { Cover } from '../cover.tsx';
import { pressedKey } from '../pressed-key.ts';
import { Price } from '../price.tsx';
import styles from './cover-row.module.css';

type CoverRowProps = {
  /** The id of the row's heading. The ids of its links begin with it, so that Back returns the focus to a link. */
  id: string;
  heading: string;
  books: readonly Book[] | undefined;
  /** The subject of the books: a link beside the heading leads to all of them. */
  subject?: string | undefined;
  /** How many books the subject has. */
  count?: number | undefined;
};

/** A heading, and below it covers that lead to the pages of their books, with captions; without books the row is empty. */
export const CoverRow = ({ id, heading, books = [], subject, count = 0 }: CoverRowProps) =>
  books.length > 0 && (
    <section className={`rows ${styles.row}`} aria-labelledby={id} data-no-print>
      <header className="cluster ends">
        <h2 id={id}>{heading}</h2>
        {subject && (
          <Link
            className="linkish"
            href={withFilters(screens.home, { subject })}
            aria-label={`See all${count && ` ${count}`}: ${subject}`}
          >
            See all{count > 0 && ` ${count}`}
          </Link>
        )}
      </header>
      {/* Rows of subjects stand below the front table. */}
      <CoverList labelledBy={id} books={books} isEager={!subject} />
    </section>
  );

/** The books of the front table, shown in place of an empty list. */
export const FrontRow = () => {
  const { data: front } = useQuery(frontQuery);
  return <CoverRow id="front-table" heading="On the front table" books={front?.table.books} />;
};

/** Rows of covers that lead from a book to others. They arrive after the screen, and below all else, so that nothing moves. */
export const BesideRows = ({ bookId }: { bookId: string }) => {
  const { data } = useQuery({
    ...read<BooksBeside>('book', paths.beside(bookId)),
    ...fromPage(({ beside }) => beside),
    ...keptForBack,
  });
  return (
    <>
      <CoverRow id="by-author" heading="By the same author" books={data?.byAuthor.toSorted(bySeries)} />
      <CoverRow id="beside" heading="Beside it on the shelf" books={data?.beside} />
    </>
  );
};

const bySeries = (one: Book, other: Book): number =>
  (one.series ?? '').localeCompare(other.series ?? '') || compareVolumes(one, other);

type CoverListProps = {
  books: readonly Book[];
  labelledBy: string;
  /** `table`: the front table, whose covers a visitor sees first. */
  size?: 'row' | 'table';
  /** True if the covers that a phone shows load at once. */
  isEager?: boolean;
};

const Caption = ({ book: { title, author, price } }: { book: Book }) => (
  <span className={styles.caption}>
    <cite className="clamp" dir="auto">
      {title}
    </cite>
    <small className="second">
      <Price value={price.value} />
      <bdi className="cut">{author}</bdi>
    </small>
  </span>
);

/** The number of covers that a phone shows. */
const firstSeen = 3;

/** Covers side by side, which scroll if there is no room. They are one stop of the Tab key: arrow keys move between them. */
export const CoverList = ({ books, labelledBy, size = 'row', isEager = false }: CoverListProps) => {
  /** The Tab key focuses the cover that had the focus last. */
  const [stop, setStop] = useState(0);
  const idOf = (book: Book) => `${labelledBy}-${book._id}`;
  const moveFocus = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const steps = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: books.length - 1 };
    const book = books[steps[pressedKey(event) as keyof typeof steps]];
    if (!book) return;
    event.preventDefault();
    document.getElementById(idOf(book))?.focus();
  };
  return (
    <ul className={styles.covers} aria-labelledby={labelledBy} onKeyDown={moveFocus}>
      {books.map((book, index) => (
        <li key={book._id}>
          <BookLink
            id={idOf(book)}
            className="rises"
            bookId={book._id}
            aria-label={size === 'table' ? `${book.title}, ${book.author}` : undefined}
            title={book.title}
            tabIndex={index === Math.min(stop, books.length - 1) ? 0 : -1}
            onFocus={() => setStop(index)}
          >
            <Cover
              book={book}
              size={size}
              isLabelled
              isEager={size === 'table' || (isEager && index < firstSeen)}
              isFirst={size === 'table' && index < firstSeen}
            />
            {size === 'row' && <Caption book={book} />}
          </BookLink>
        </li>
      ))}
    </ul>
  );
};
