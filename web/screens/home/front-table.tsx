import type { Front } from '../../../contract/shop-front.ts';
import { CoverList } from '../../components/cover-row/cover-row.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import styles from './front-table.module.css';

type FrontTableProps = {
  /** Undefined until it has arrived: its room is kept. */
  table: Front['table'] | undefined;
  /** It could not be fetched. */
  isMissing: boolean;
  /** A search shows what it finds alone. The heading of the screen stays, unseen. */
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
