import { memo, type ReactNode } from 'react';
import { type Block, blocksOf, useBlock } from '../list/blocks.ts';
import styles from './responsive-table.module.css';

/** A column. `cell` renders its content for one row; `index` counts the rows from 0. */
export type Column<Row> = {
  /** Unique in the table; empty for a column without a heading. */
  heading: string;
  cell: (row: Row, index: number) => ReactNode;
  /**
   * A title, a text and a detail wrap and follow the direction of their script; all else stays on one line. Numbers are aligned at the
   * end, so that their digits stand below each other. `select` is the box that selects the row, `action` its buttons. On a narrow screen
   * a title and a text are lines of their own; details, numbers and labels (such as dates) follow, each with its heading in front.
   */
  kind: 'select' | 'title' | 'text' | 'detail' | 'number' | 'label' | 'state' | 'action';
  /**
   * A CSS length. Give one to each number, label and action of a long table: its columns would otherwise change their width with
   * the rows that are rendered.
   */
  width?: string;
};

type ResponsiveTableProps<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Returns the row's React key; by default its `_id`. Pass the same function at each render. */
  keyOf?: ((row: Row) => string) | undefined;
  /** `rows` are all rows of the table. */
  isComplete?: boolean;
};

export const idOf = (row: object): string => ('_id' in row ? String(row._id) : '');

/** A table; on a narrow screen its rows become blocks of lines. A long table has a body for each block of its rows. */
export const ResponsiveTable = <Row extends object>(props: ResponsiveTableProps<Row>) => {
  const { label, columns, rows, keyOf = idOf, isComplete = true } = props;
  const isFixed = columns.some(({ width }) => width);
  return (
    <table
      className={`${styles.table} ${isFixed ? styles.fixed : ''}`}
      aria-label={label}
      {...roles.table}
      aria-rowcount={isComplete ? rows.length + headRows : -1}
    >
      <thead {...roles.group}>
        <tr {...roles.row} aria-rowindex={headRows}>
          {columns.map(({ heading, kind, width }) =>
            heading ? (
              <th
                key={heading}
                {...roles.head}
                scope="col"
                className={styles[kind]}
                style={{ inlineSize: width }}
              >
                {kind === 'select' ? <span className="hidden">{heading}</span> : heading}
              </th>
            ) : (
              <td key={heading} {...roles.cell} style={{ inlineSize: width }} />
            ),
          )}
        </tr>
      </thead>
      {blocksOf(rows, rowsPerBlock).map((block) => (
        <Rows key={block.start} block={block} columns={columns} keyOf={keyOf} />
      ))}
    </table>
  );
};

/** Browsers drop the implicit roles when CSS gives a part of a table another `display`. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

const headRows = 1;

/** The number of rows in a block. A phone takes 60 ms to render them. */
const rowsPerBlock = 10;
/** Rows at the start of a table: more than the first screen shows. */
const firstRows = 40;
/** The estimated height of a row before its block is rendered. */
const rowPx = 56;

type RowsProps<Row> = Pick<ResponsiveTableProps<Row>, 'columns'> & {
  keyOf: (row: Row) => string;
  block: Block<Row>;
};

const Rows = <Row,>({ block, columns, keyOf }: RowsProps<Row>) => {
  const { start, items } = block;
  const { ref, emptyPx } = useBlock<Row, HTMLTableSectionElement>(block, {
    isFirst: start < firstRows,
    guessPx: items.length * rowPx,
  });
  return (
    <tbody ref={ref} {...roles.group}>
      {emptyPx !== undefined ? (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in a gap can have the focus.
        <tr className={styles.gap} aria-hidden="true" style={{ blockSize: emptyPx }}>
          <td colSpan={columns.length} />
        </tr>
      ) : (
        items.map((row, at) => (
          <TableRow key={keyOf(row)} keyOf={keyOf} row={row} index={start + at} columns={columns} />
        ))
      )}
    </tbody>
  );
};

type TableRowProps<Row> = Pick<RowsProps<Row>, 'columns' | 'keyOf'> & {
  row: Row;
  /** The first row's number, from 0. */
  index: number;
};

const RowOfCells = <Row,>({ row, keyOf, index, columns }: TableRowProps<Row>) => (
  <tr {...roles.row} data-key={keyOf(row)} data-index={index} aria-rowindex={index + 1 + headRows}>
    {columns.map(({ heading, cell, kind }) => (
      <td key={heading} {...roles.cell} data-heading={heading.replace(/ \(.*/, '')} className={styles[kind]}>
        <span dir={['title', 'text', 'detail'].includes(kind) ? 'auto' : undefined}>{cell(row, index)}</span>
      </td>
    ))}
  </tr>
);

/** The cast restores the type parameter, which React's type of `memo` loses. */
const TableRow = memo(RowOfCells) as typeof RowOfCells;
