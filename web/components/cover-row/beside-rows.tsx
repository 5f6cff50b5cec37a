import { useQuery } from '@tanstack/react-query';
import type { BooksBeside } from '../../../contract/book.ts';
import { paths } from '../../../contract/paths.ts';
import { read } from '../../api/calls.ts';
import { CoverRow } from './cover-row.tsx';

/** The rows stay in the cache, so that Back shows them at once. */
const keptForBack = { staleTime: 5 * 60_000, gcTime: 5 * 60_000 };

/** Rows of covers that lead from a book to others. They arrive after the screen, and below all else, so that nothing moves. */
export const BesideRows = ({ bookId }: { bookId: string }) => {
  const { data } = useQuery({ ...read<BooksBeside>('book', paths.beside(bookId)), ...keptForBack });
  return (
    <>
      <CoverRow id="by-author" heading="By the same author" books={data?.byAuthor} />
      <CoverRow id="beside" heading="Beside it on the shelf" books={data?.beside} />
    </>
  );
};
