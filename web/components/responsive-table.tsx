import type { ReactNode } from 'react';
import styles from './responsive-table.module.css';

export type Column<Row> = {
  heading: string;
  cell: (row: Row, index: number) => ReactNode;
  /** Titles and words wrap and take the room there is, in whatever direction they are written; figures stay on one line. */
  kind: 'title' | 'words' | 'figure' | 'action';
};

type ResponsiveTableProps<Row> = {
  /** What the table lists, for those who cannot see where it stands. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

/**
 * A table that becomes a stack of labelled lines on a narrow screen. The roles are written out because browsers drop
 * the built-in ones as soon as a table is laid out as anything else.
 */
export const ResponsiveTable = <Row,>({ label, columns, rows, keyOf }: ResponsiveTableProps<Row>) => (
  // biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table.
  <table className={styles.table} aria-label={label} role="table">
    {/* biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table. */}
    <thead role="rowgroup">
      {/* biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table. */}
      <tr role="row">
        {columns.map(({ heading, kind }) =>
          heading ? (
            // biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table.
            <th key={heading} role="columnheader" scope="col" className={styles[kind]}>
              {heading}
            </th>
          ) : (
            // biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table.
            <td key={heading} role="cell" />
          ),
        )}
      </tr>
    </thead>
    {/* biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table. */}
    <tbody role="rowgroup">
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table.
        <tr key={keyOf(row)} role="row">
          {columns.map(({ heading, cell, kind }) => (
            // biome-ignore lint/a11y/noRedundantRoles: browsers drop the built-in role when a phone restacks the table.
            <td key={heading} role="cell" data-heading={heading} className={styles[kind]}>
              <span dir={kind === 'title' || kind === 'words' ? 'auto' : undefined}>{cell(row, index)}</span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
