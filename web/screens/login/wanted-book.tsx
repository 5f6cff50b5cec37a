import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Book } from '../../../contract/book.ts';
import { paths } from '../../../contract/paths.ts';
import { bookInLists } from '../../api/catalogue.ts';
import { callApi } from '../../api/client.ts';
import { Cover, CoverSpace } from '../../components/cover.tsx';
import { Frame } from '../../components/frame.tsx';
import { Price } from '../../components/price.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import styles from './wanted-book.module.css';

/**
 * The book that a visitor signs in to buy. It has a key of its own, so that the checkout never opens with its price. A list
 * that home has shown has the book at once.
 */
const wantedBookQuery = (id: string, queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['wanted book', id],
    queryFn: async ({ signal }) => (await callApi<Book>(paths.book(id), { signal })).body,
    // It stays when the fetch fails.
    initialData: () => bookInLists(queryClient, id),
    initialDataUpdatedAt: 0,
    gcTime: 0,
  });

type WantedBookProps = {
  id: string;
  /** In place of the book's name, while it is not known, and when it cannot be fetched. */
  otherwise: ReactNode;
  /** The button. */
  children: ReactNode;
};

/** The login of a visitor who is about to buy a book: its cover and its name above the button. Nothing moves when it appears. */
export const WantedBook = ({ id, otherwise, children }: WantedBookProps) => {
  const { data: book, isPending } = useQuery(wantedBookQuery(id, useQueryClient()));
  return (
    <div className={styles.layout}>
      <div className={styles.cover}>
        <Frame>
          {book ? <Cover book={book} isEager isFirst size="large" /> : <CoverSpace size="large" />}
        </Frame>
      </div>
      <div className={`stack ${styles.words}`}>
        <ScreenHeading title="Login" isQuiet>
          <span key={book?._id}>{book ? 'Sign in to buy' : 'Come in'}</span>
        </ScreenHeading>
        {book ? (
          <Invitation book={book} />
        ) : (
          <div className={`${styles.invitation} ${isPending ? styles.soon : ''}`}>{otherwise}</div>
        )}
      </div>
      <div className={styles.action}>{children}</div>
    </div>
  );
};

const Invitation = ({ book: { title, author, price } }: { book: Book }) => (
  <div className={styles.invitation}>
    <p>
      <cite className={`clamp ${styles.title}`} dir="auto">
        {title}
      </cite>
    </p>
    <p className={`clamp ${styles.author}`} dir="auto">
      {author}
    </p>
    <p className={styles.price}>
      <Price value={price.value} />
    </p>
  </div>
);
