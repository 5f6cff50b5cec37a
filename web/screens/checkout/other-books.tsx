import { useQuery } from '@tanstack/react-query';
import { frontQuery } from '../../api/catalogue.ts';
import { ButtonLink } from '../../components/button.tsx';
import { BesideRows } from '../../components/cover-row/beside-rows.tsx';
import { CoverRow } from '../../components/cover-row/cover-row.tsx';
import { Notice } from '../../components/notice.tsx';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';
import styles from './order-summary.module.css';

/** In place of a checkout whose book was deleted, or never existed. */
export const BookGone = () => (
  <>
    <Notice role="alert">
      <p>This book is no longer for sale.</p>
      <ButtonLink variant="primary" {...useBackToShelf()}>
        Back to the shelf
      </ButtonLink>
    </Notice>
    <OtherBooks />
  </>
);

/** The way on from a book that cannot be bought. @param beside the id of that book, where the shop still has its page. */
export const OtherBooks = ({ beside }: { beside?: string }) => (
  <div className={`stack loose ${styles.others}`}>
    {beside === undefined ? <FrontRow /> : <BesideRows bookId={beside} />}
  </div>
);

const FrontRow = () => {
  const { data: front } = useQuery(frontQuery);
  if (!front || front.table.books.length === 0) return null;
  return <CoverRow id="front-table" heading="On the front table" books={front.table.books} />;
};
