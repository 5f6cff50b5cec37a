import type { ReactNode } from 'react';
import styles from './book-cell.module.css';
import { Cover, type CoveredBook } from './cover.tsx';

/** The cell of a book's title, with its cover, which is decoration: the title is beside it. */
export const BookCell = ({
  book,
  title = book.title,
  isOneLine = false,
  children,
}: {
  book: CoveredBook;
  title?: ReactNode;
  /** True if the parts of the title share a line, on a wide screen. The first one has most of it. */
  isOneLine?: boolean;
  /** Shown below the title. */
  children?: ReactNode;
}) => (
  <span className={`cluster whole ${styles.book}`}>
    <span className={styles.cover} aria-hidden="true">
      <Cover book={book} size="small" />
    </span>
    <span className={isOneLine ? styles.line : undefined}>
      {title}
      {children}
    </span>
  </span>
);
