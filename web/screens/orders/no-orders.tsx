import { useQuery } from '@tanstack/react-query';
import { screens } from '../../../contract/paths.ts';
import { frontQuery } from '../../api/catalogue.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CoverRow } from '../../components/cover-row/cover-row.tsx';
import styles from './orders.module.css';

/** Before the first order: the books of the front table, to begin with. Their room is kept until they arrive. */
export const NoOrders = () => {
  const { data: front } = useQuery(frontQuery);
  return (
    <div className="stack loose">
      <div className="cluster">
        <p className={styles.total}>You have not bought a book here yet.</p>
        <ButtonLink href={screens.home}>To the shelf</ButtonLink>
      </div>
      <div className={styles.front} data-no-print>
        {front && front.table.books.length > 0 && (
          <CoverRow id="front-table" heading="On the front table" books={front.table.books} />
        )}
      </div>
    </div>
  );
};
