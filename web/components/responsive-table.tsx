import type { ReactNode } from 'react';
import styles from './responsive-table.module.css';

/** A column. `cell` renders its content for one row; `index` counts the rows from 0. */
export type Column<Row> = {
  /** Unique in the table; empty for a column without a heading. */
  heading: string;
  cell: (row: Row, index: number) => ReactNode;
  /** A title and a text wrap and follow the direction of their script. A number, date or action stays on one line. */
  kind: 'title' | 'text' | 'number' | 'action';
  /** In compact rows, where columns have no headings, the cell has its own: its content says little without it. */
  isLabelledWhenCompact?: boolean;
};

type ResponsiveTableProps<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Returns the row's React key. */
  keyOf: (row: Row) => string;
  /** A row on a narrow screen: a line for each cell with its heading, or the title above one line with the other cells. */
  whenNarrow: 'labelled lines' | 'compact rows';
  /** Whether the row has just come: its background shows it for two seconds. */
  isNew?: (row: Row) => boolean;
};

/**
 * A table; on a narrow screen its rows have another shape. The roles are explicit because browsers drop the implicit ones when
 * CSS gives a table another `display`.
 */
export const ResponsiveTable = <Row,>({
  label,
  columns,
  rows,
  keyOf,
  whenNarrow,
  isNew,
}: ResponsiveTableProps<Row>) => (
  // biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen.
  <table className={`${styles.table} ${styles[narrowShapes[whenNarrow]]}`} aria-label={label} role="table">
    {/* biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen. */}
    <thead role="rowgroup">
      {/* biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen. */}
      <tr role="row">
        {columns.map(({ heading, kind }) =>
          heading ? (
            // biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen.
            <th key={heading} role="columnheader" scope="col" className={styles[kind]}>
              {heading}
            </th>
          ) : (
            // biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen.
            <td key={heading} role="cell" />
          ),
        )}
      </tr>
    </thead>
    {/* biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen. */}
    <tbody role="rowgroup">
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen.
        <tr key={keyOf(row)} role="row" className={isNew?.(row) ? styles.isNew : undefined}>
          {columns.map(({ heading, cell, kind, isLabelledWhenCompact }) => (
            <td
              key={heading}
              // biome-ignore lint/a11y/noRedundantRoles: browsers drop the implicit role on a narrow screen.
              role="cell"
              data-heading={heading}
              data-is-labelled={isLabelledWhenCompact}
              className={styles[kind]}
            >
              <span dir={kind === 'title' || kind === 'text' ? 'auto' : undefined}>{cell(row, index)}</span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const narrowShapes = { 'labelled lines': 'lines', 'compact rows': 'compact' } as const;
