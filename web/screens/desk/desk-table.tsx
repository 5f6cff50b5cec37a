import type { ReactNode } from 'react';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import type { useDeskList } from './desk-list.tsx';
import styles from './desk-table.module.css';

type DeskTableProps<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  found: Pick<ReturnType<typeof useDeskList<Row>>, 'list' | 'listId'>;
  /** For what the rows of this view have of their own. */
  className?: string | undefined;
};

/** The table of a view. On a narrow screen each row is a title with its state at the right, and one or two lines below. */
export const DeskTable = <Row,>({ label, columns, rows, keyOf, found, className }: DeskTableProps<Row>) => (
  <div className={`${styles.table} ${className ?? ''}`}>
    <ResponsiveTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      whenNarrow="compact rows"
      isComplete={!found.list.hasNextPage}
      listId={found.listId}
    />
  </div>
);

/** The smaller line below the title of a row, such as the author. */
export const SecondLine = ({ children }: { children: ReactNode }) => (
  <span className={styles.secondLine} dir="auto">
    {children}
  </span>
);
