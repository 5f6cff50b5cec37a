/** The lists of an import: what would change, and what is left out. */
import type { ReactNode } from 'react';
import type { ImportChange, ImportError } from '../../../contract/desk/books.ts';
import { formatPrice } from '../../../contract/price.ts';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import styles from './import.module.css';

type ListProps<Row> = {
  listed: readonly Row[];
  /** The number of all, of which perhaps only the first are listed. */
  count: number;
};

type ErrorsProps = ListProps<ImportError> & { isDryRun: boolean; hasOthers: boolean };

/** @param hasOthers whether rows without errors can be imported. */
export const ImportErrors = ({ isDryRun, hasOthers, ...list }: ErrorsProps) => (
  <Rows {...list} label="Errors in the file" columns={errorColumns} keyOf={errorKeyOf}>
    {isDryRun
      ? `These rows would be left out. Correct them in the file and choose it again${hasOthers ? ', or import the others' : ''}.`
      : 'These rows were left out. Correct them and import the file again: the others stay as they are.'}
  </Rows>
);

export const ImportChanges = (list: ListProps<ImportChange>) => (
  <Rows {...list} label="Changes of books" columns={changeColumns} keyOf={lineOf}>
    Changes in {list.count === 1 ? 'one book' : `${countText(list.count)} books`}.
  </Rows>
);

type RowsProps<Row> = ListProps<Row> & {
  label: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** A text about them. */
  children: ReactNode;
};

/** Nothing where there are none. */
const Rows = <Row,>({ listed, count, label, columns, keyOf, children }: RowsProps<Row>) =>
  count > 0 && (
    <div className={styles.rows}>
      <p>
        {children}
        {count > listed.length && ` The first ${countText(listed.length)} of them:`}
      </p>
      <ResponsiveTable
        label={label}
        columns={columns}
        rows={listed}
        keyOf={keyOf}
        whenNarrow="compact rows"
      />
    </div>
  );

const countText = (count: number): string => count.toLocaleString('en');

const errorKeyOf = ({ line, column, reason }: ImportError): string => `${line} ${column} ${reason}`;

const lineOf = ({ line }: { line: number }): string => String(line);

const lineColumn = {
  heading: 'Line',
  kind: 'number',
  width: '6rem',
  cell: ({ line }: { line: number }) => line.toLocaleString('en'),
  isLabelledWhenCompact: true,
} as const;

const changeColumns: Column<ImportChange>[] = [
  { heading: 'Book', kind: 'title', cell: ({ title }) => title },
  lineColumn,
  {
    heading: 'Change',
    kind: 'text',
    width: '55%',
    cell: ({ isRestored, fields }) => (
      <ul className={styles.changes}>
        {isRestored && <li>for sale again</li>}
        {fields.map(({ name, from, to }) => (
          <li key={name}>
            {name} <span dir="auto">{shownValue(name, from)}</span> →{' '}
            <strong dir="auto">{shownValue(name, to)}</strong>
          </li>
        ))}
      </ul>
    ),
  },
];

const shownValue = (name: string, value: string | null): string => {
  if (value === null) return 'none';
  return name === 'price' ? formatPrice(Number(value)) : value;
};

const errorColumns: Column<ImportError>[] = [
  lineColumn,
  {
    heading: 'Column',
    kind: 'text',
    width: '10rem',
    cell: ({ column }) => column ?? 'the whole row',
    isLabelledWhenCompact: true,
  },
  { heading: 'Reason', kind: 'title', cell: ({ reason }) => reason },
];
