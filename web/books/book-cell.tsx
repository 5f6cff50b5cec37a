import type { ReactNode } from 'react';
import type { Book } from '../../contract/book.ts';
import { Cover } from '../components/cover.tsx';
import styles from './book-cell.module.css';

/** The cell of a book's title, with its cover, which is decoration: the title is beside it. */
export const BookCell = ({
  book,
  children,
}: {
  book: Pick<Book, '_id' | 'title' | 'author' | 'image'>;
  children?: ReactNode;
}) => (
  <span className={styles.book}>
    <span className={styles.cover} aria-hidden="true">
      <Cover book={book} size="small" />
    </span>
    <span>
      {book.title}
      {children}
    </span>
  </span>
);
