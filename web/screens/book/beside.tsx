import { queryOptions, useQuery } from '@tanstack/react-query';
import type { BookInStock, BooksBeside } from '../../../contract/book.ts';
import { paths } from '../../../contract/paths.ts';
import { callApi } from '../../api/client.ts';
import { CoverRow } from '../../components/cover-row/cover-row.tsx';
import styles from './book.module.css';

const besideQuery = (id: string) =>
  queryOptions({
    queryKey: ['beside', id],
    queryFn: async ({ signal }) => (await callApi<BooksBeside>(paths.beside(id), { signal })).body,
    // Back shows the rows at once.
    staleTime: 5 * 60_000,
  });

/** Rows of covers that lead to other books. They come after the page, and into room that is below all else, so that nothing moves. */
export const Beside = ({ book: { _id } }: { book: BookInStock }) => {
  const { data } = useQuery(besideQuery(_id));
  const { byAuthor = [], beside = [] } = data ?? {};
  return (
    <div className={styles.rows}>
      {byAuthor.length > 0 && <CoverRow id="by-author" heading="By the same author" books={byAuthor} />}
      {beside.length > 0 && <CoverRow id="beside" heading="Beside it on the shelf" books={beside} />}
    </div>
  );
};
