import { screens } from '../../../contract/paths.ts';
import { ButtonLink } from '../../components/button.tsx';
import { FrontRow } from '../../components/cover-row/front-row.tsx';
import styles from './orders.module.css';

/** Before the first order: the books of the front table, to begin with. Their room is kept until they arrive. */
export const NoOrders = () => {
  return (
    <div className="stack loose">
      <div className="cluster">
        <p className="byline">You have not bought a book here yet.</p>
        <ButtonLink href={screens.home}>To the shelf</ButtonLink>
      </div>
      <div className={`inset ${styles.front}`} data-no-print>
        <FrontRow />
      </div>
    </div>
  );
};
