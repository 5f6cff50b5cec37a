import type { ReactNode } from 'react';
import type { Front } from '../../contract/shop-front.ts';
import { CoverList } from './cover-row/cover-row.tsx';
import styles from './front-table.module.css';
import { ScreenHeading } from './screen-heading.tsx';

const id = 'front-table';

type FrontTableViewProps = Record<'heading' | 'words' | 'covers', ReactNode>;

/** The front table: the owner's words, and the covers of a few books, which are a list in HTML. */
export const FrontTableView = ({ heading, words, covers }: FrontTableViewProps) => (
  <section className={`rows stack ${styles.table}`} aria-labelledby={id} data-no-print>
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

type FrontTableProps = { table: Front['table'] | undefined; isMissing: boolean };

/** The space of the table is kept free until it has arrived. @param isMissing it could not be fetched. */
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
