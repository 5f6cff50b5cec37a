import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Book } from '../../../contract/book.ts';
import { screens } from '../../../contract/paths.ts';
import { Cover } from '../cover.tsx';
import { pressedKey } from '../pressed-key.ts';
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
  <section className={styles.row} aria-labelledby={id} data-no-print>
    <header className="cluster ends">
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
  /** The layout of the front table. Its covers load at once, because a visitor sees them first. */
  tableClass?: string | undefined;
};

/** A phone shows so many covers of the table. */
const firstSeen = 3;

/** Covers side by side, which scroll where they have no room. They are one stop of the Tab key: arrow keys go from one to the next. */
export const CoverList = ({ books, labelledBy, tableClass = '' }: CoverListProps) => (
  <ul
    className={`${styles.covers} ${tableClass}`}
    aria-labelledby={labelledBy}
    onFocus={makeStop}
    onKeyDown={moveFocus}
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
            isEager={tableClass !== ''}
            isFirst={tableClass !== '' && index < firstSeen}
          />
        </Link>
      </li>
    ))}
  </ul>
);

const linksIn = (list: HTMLElement) => [...list.querySelectorAll('a')];

/** The Tab key leads to the cover that had the focus last. */
const makeStop = ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
  for (const link of linksIn(currentTarget)) link.tabIndex = link === target ? 0 : -1;
};

const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
  const { currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey || ctrlKey || metaKey || shiftKey) return;
  const links = linksIn(currentTarget);
  const at = links.findIndex((link) => link === document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: links.length - 1 }[
    pressedKey(event) ?? ''
  ];
  const link = to === undefined ? undefined : links[to];
  if (!link) return;
  event.preventDefault();
  link.focus();
};
