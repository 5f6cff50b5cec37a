import { useQuery } from '@tanstack/react-query';
import { frontQuery } from '../../api/catalogue.ts';
import { CoverRow } from './cover-row.tsx';

/** The books of the front table, to begin with where a list has none. */
export const FrontRow = () => {
  const { data: { table } = {} } = useQuery(frontQuery);
  if (!table || table.books.length === 0) return null;
  return <CoverRow id="front-table" heading="On the front table" books={table.books} />;
};
