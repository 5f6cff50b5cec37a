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
};

/** The front table: the owner's words, and the covers of a few books. */
export const FrontTableView = ({ heading, words, covers }: FrontTableViewProps) => (
  <section className={`stack ${styles.table}`} aria-labelledby={id} data-no-print>
    <div className={`stack ${styles.words}`}>
      <p id={id} className="soft">
        On the front table
      </p>
      {heading}
      {words}
    </div>
    {covers}
  </section>
);

type FrontTableProps = {
  /** Undefined until the table has arrived: its space is kept free. */
  table: Front['table'] | undefined;
  /** True if the table could not be fetched. */
  isMissing: boolean;
};

export const FrontTable = ({ table, isMissing }: FrontTableProps) => (
  <FrontTableView
    heading={
      <ScreenHeading title="Home">
        <span dir="auto">{isMissing ? 'On the shelf' : (table?.heading ?? '\u00a0')}</span>
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
