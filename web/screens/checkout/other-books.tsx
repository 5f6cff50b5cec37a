import { useQuery } from '@tanstack/react-query';
import { frontQuery } from '../../api/catalogue.ts';
import { BesideRows } from '../../components/cover-row/beside-rows.tsx';
import { CoverRow } from '../../components/cover-row/cover-row.tsx';
import styles from './other-books.module.css';

/** The way on from a book that cannot be bought. @param beside the id of that book, where the shop still has its page. */
export const OtherBooks = ({ beside }: { beside?: string }) => (
  <div className={styles.rows}>{beside === undefined ? <FrontRow /> : <BesideRows bookId={beside} />}</div>
);

const FrontRow = () => {
  const { data: front } = useQuery(frontQuery);
  if (!front || front.table.books.length === 0) return null;
  return <CoverRow id="front-table" heading="On the front table" books={front.table.books} />;
};
