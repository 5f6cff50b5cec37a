import { useQuery } from '@tanstack/react-query';
import { frontQuery } from '../../api/catalogue.ts';
import { CoverRow } from './cover-row.tsx';

/** The books of the front table, shown in place of an empty list. */
export const FrontRow = () => {
  const { data: front } = useQuery(frontQuery);
  return <CoverRow id="front-table" heading="On the front table" books={front?.table.books} />;
};
