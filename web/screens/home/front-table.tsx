import type { Front } from '../../../contract/shop-front.ts';
import { CoverList } from '../../components/cover-row/cover-row.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import styles from './front-table.module.css';

type FrontTableProps = {
  /** Undefined until the table has arrived: its space is kept free. */
  table: Front['table'] | undefined;
  /** True if the table could not be fetched. */
  isMissing: boolean;
  /** True if a search is shown: the table is left out, and the screen's heading stays, hidden. */
  isHidden: boolean;
};

const id = 'front-table';

/** The front table: the owner's words, and the covers of a few books. */
export const FrontTable = ({ table, isMissing, isHidden }: FrontTableProps) => {
  const heading = isHidden || isMissing ? 'On the shelf' : (table?.heading ?? '\u00a0');
  return (
    <section
      className={isHidden ? undefined : `stack ${styles.table}`}
      aria-labelledby={isHidden ? undefined : id}
      data-no-print
    >
      <div className={isHidden ? 'hidden' : `stack tight ${styles.words}`}>
        {!isHidden && (
          <p id={id} className="soft">
            On the front table
          </p>
        )}
        <ScreenHeading title="Home">
          <span dir="auto">{heading}</span>
        </ScreenHeading>
        {!isHidden && (
          <p dir="auto" className="prose">
            {table?.words}
          </p>
        )}
      </div>
      {!isHidden && (
        <CoverList labelledBy={id} books={table?.books ?? []} size="table" className={styles.covers} />
      )}
    </section>
  );
};
