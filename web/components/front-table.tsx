import type { ReactNode } from 'react';
import type { Front } from '../../contract/shop-front.ts';
import { CoverList } from './cover-row/cover-row.tsx';
import styles from './front-table.module.css';
import { ScreenHeading } from './screen-heading.tsx';

const id = 'front-table';

type FrontTableViewProps = {
  heading: ReactNode;
  words: ReactNode;
  /** A list in HTML. */
  covers: ReactNode;
  /** True if only the heading stays, for screen readers. */
  isHidden?: boolean;
};

/** The front table: the owner's words, and the covers of a few books. */
export const FrontTableView = ({ heading, words, covers, isHidden = false }: FrontTableViewProps) => (
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
      {heading}
      {!isHidden && words}
    </div>
    {!isHidden && covers}
  </section>
);

type FrontTableProps = {
  /** Undefined until the table has arrived: its space is kept free. */
  table: Front['table'] | undefined;
  /** True if the table could not be fetched. */
  isMissing: boolean;
  /** True if a search is shown: the table is left out, and the screen's heading stays, hidden. */
  isHidden: boolean;
};

export const FrontTable = ({ table, isMissing, isHidden }: FrontTableProps) => (
  <FrontTableView
    isHidden={isHidden}
    heading={
      <ScreenHeading title="Home">
        <span dir="auto">{isHidden || isMissing ? 'On the shelf' : (table?.heading ?? '\u00a0')}</span>
      </ScreenHeading>
    }
    words={
      <p dir="auto" className="prose">
        {table?.words}
      </p>
    }
    covers={<CoverList labelledBy={id} books={table?.books ?? []} size="table" />}
  />
);
