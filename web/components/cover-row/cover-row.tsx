import { type ReactNode, type SyntheticEvent, useId } from 'react';
import { Link } from 'wouter';
import type { Book } from '../../../contract/book.ts';
import { screens } from '../../../contract/paths.ts';
import { Cover } from '../cover.tsx';
import styles from './cover-row.module.css';

type CoverRowProps = {
  heading: ReactNode;
  books: readonly Book[];
};

/** A heading, and below it covers that lead to the pages of their books. */
export const CoverRow = ({ heading, books }: CoverRowProps) => {
  const id = useId();
  return (
    <section className={styles.row} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <CoverList labelledBy={id} books={books} />
    </section>
  );
};

type CoverListProps = {
  books: readonly Book[];
  /** The id of its heading. */
  labelledBy: string;
  /** Its own layout, in place of that of a row. */
  className?: string | undefined;
  /** So many covers load at once, and before everything else. */
  firstCovers?: number;
};

/**
 * Covers side by side, which scroll where they have no room. They are one stop of the Tab key: the arrow keys go from one to the
 * next, as soon as the code for that is loaded; until then they scroll.
 */
export const CoverList = ({ books, labelledBy, className, firstCovers = 0 }: CoverListProps) => (
  <ul
    className={className ?? styles.covers}
    aria-labelledby={labelledBy}
    onFocus={loadControls}
    onPointerEnter={loadControls}
  >
    {books.map((book, index) => (
      <li key={book._id}>
        <Link
          id={`cover-${labelledBy}-${book._id}`}
          href={screens.book(book._id)}
          aria-label={`${book.title}, ${book.author}`}
          title={book.title}
          tabIndex={index === 0 ? 0 : -1}
        >
          <Cover
            book={book}
            size={className ? 'table' : 'row'}
            isLabelled
            isEager={index < firstCovers}
            isFirst={index < firstCovers}
          />
        </Link>
      </li>
    ))}
  </ul>
);

const loadControls = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
  void import('./cover-controls.ts').then(({ addControls }) => addControls(currentTarget));
};
