import type { ReactNode } from 'react';
import styles from './book-cell.module.css';
import { Cover, type CoveredBook } from './cover.tsx';

/** The cell of a book's title, with its cover, which is decoration: the title is beside it. */
export const BookCell = ({
  book,
  title = book.title,
  children,
}: {
  book: CoveredBook;
  title?: ReactNode;
  /** Shown below the title. */
  children?: ReactNode;
}) => (
  <span className={styles.book}>
    <span className={styles.cover} aria-hidden="true">
      <Cover book={book} size="small" />
    </span>
    <span>
      {title}
      {children}
    </span>
  </span>
);
