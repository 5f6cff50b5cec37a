import type { ReactNode, SyntheticEvent } from 'react';
import { Link } from 'wouter';
import type { Book } from '../../../contract/book.ts';
import { screens } from '../../../contract/paths.ts';
import { Cover } from '../cover.tsx';
import { optionalCode } from '../optional-code.ts';
import styles from './cover-row.module.css';

type CoverRowProps = {
  /** The id of its heading; those of its links begin with it, so that Back returns the focus to one. */
  id: string;
  heading: string;
  books: readonly Book[];
  /** Beside the heading: a link to a list that goes on where the row ends. */
  more?: ReactNode;
};

/** A heading, and below it covers that lead to the pages of their books. */
export const CoverRow = ({ id, heading, books, more }: CoverRowProps) => (
  <section className={styles.row} aria-labelledby={id}>
    <header>
      <h2 id={id}>{heading}</h2>
      {more}
    </header>
    <CoverList labelledBy={id} books={books} />
  </section>
);

type CoverListProps = {
  books: readonly Book[];
  /** The id of its heading. */
  labelledBy: string;
  /** The layout of the front table, in place of that of a row. Its covers load at once, because a visitor sees them first. */
  tableClass?: string | undefined;
};

/** A phone shows so many covers of the table. */
const firstSeen = 3;

/**
 * Covers side by side, which scroll where they have no room. They are one stop of the Tab key: the arrow keys go from one to the
 * next, as soon as the code for that is loaded; until then they scroll.
 */
export const CoverList = ({ books, labelledBy, tableClass }: CoverListProps) => (
  <ul
    className={tableClass ?? styles.covers}
    aria-labelledby={labelledBy}
    onFocus={loadControls}
    onPointerEnter={loadControls}
  >
    {books.map((book, index) => (
      <li key={book._id}>
        <Link
          id={`${labelledBy}-${book._id}`}
          href={screens.book(book._id)}
          aria-label={`${book.title}, ${book.author}`}
          title={book.title}
          tabIndex={index === 0 ? 0 : -1}
        >
          <Cover
            book={book}
            size={tableClass ? 'table' : 'row'}
            isLabelled
            isEager={tableClass !== undefined}
            isFirst={tableClass !== undefined && index < firstSeen}
          />
        </Link>
      </li>
    ))}
  </ul>
);

const loadControls = async ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
  const controls = await optionalCode(() => import('./cover-controls.ts'));
  controls?.addControls(currentTarget);
};
