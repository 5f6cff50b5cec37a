import { type ReactNode, useEffect, useRef } from 'react';
import type { ImportChange, ImportError } from '../../../contract/desk/books.ts';
import { formatPrice } from '../../../contract/price.ts';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { Figures } from '../figures.tsx';
import type { ImportResult } from './api.ts';
import styles from './import.module.css';

type ImportReportProps = {
  fileName: string;
  isDryRun: boolean;
  result: ImportResult;
  /** The next steps. */
  children: ReactNode;
};

/** The result of an import, or of its check: the counts, and the rows that are left out. Its heading takes the focus. */
export const ImportReport = ({ fileName, isDryRun, result, children }: ImportReportProps) => {
  const { added, changed, restored, unchanged, changes, errors, errorCount, missingImages } = result;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="stack loose" aria-label={fileName}>
      <h2 ref={heading} className={styles.heading} tabIndex={-1}>
        {headingOf(result, isDryRun)}
      </h2>
      <Figures
        figures={{
          [isDryRun ? 'New books' : 'Added']: count(added),
          [isDryRun ? 'To change' : 'Changed']: count(changed - restored),
          ...(restored > 0 && { [isDryRun ? 'To restore' : 'Restored']: count(restored) }),
          Unchanged: count(unchanged),
          [isDryRun ? 'Rows with errors' : 'Rows left out']: count(errorCount),
        }}
      />
      {missingImages > 0 && (
        <p>
          {missingImages === 1 ? 'One book has' : `${count(missingImages)} books have`} an image of this store
          that the store does not have. Upload it under Books.
        </p>
      )}
      {children && <div>{children}</div>}
      <Rows label="Errors in the file" listed={errors} count={errorCount} columns={errorColumns}>
        {isDryRun
          ? `These rows would be left out. Correct them in the file and choose it again${added + changed > 0 ? ', or import the others' : ''}.`
          : 'These rows were left out. Correct them and import the file again: the others stay as they are.'}
      </Rows>
      {changes.length > 0 && (
        <Rows label="Changes of books" listed={changes} count={changed} columns={changeColumns}>
          Changes in {changed === 1 ? 'one book' : `${count(changed)} books`}.
        </Rows>
      )}
    </section>
  );
};

const headingOf = ({ added, changed, unchanged, errorCount }: ImportResult, isDryRun: boolean): string => {
  if (!isDryRun) return errorCount > 0 ? 'Imported, apart from some rows' : 'Imported';
  if (added + changed > 0)
    return errorCount > 0 ? 'Checked: some rows have errors' : 'Checked: ready to import';
  if (errorCount > 0) return 'Checked: no row can be imported';
  return unchanged > 0 ? 'Checked: every book is there already' : 'Checked: the file has no books';
};

const count = (value: number): string => value.toLocaleString('en');

type RowsProps<Row> = {
  label: string;
  listed: readonly Row[];
  /** The number of all, of which perhaps only the first are listed. */
  count: number;
  columns: readonly Column<Row>[];
  /** A text about them. */
  children: ReactNode;
};

const Rows = <Row extends { line: number }>({
  label,
  listed,
  count: all,
  columns,
  children,
}: RowsProps<Row>) =>
  all > 0 && (
    <div className={`stack ${styles.rows}`}>
      <p>
        {children}
        {all > listed.length && ` The first ${count(listed.length)} of them:`}
      </p>
      <ResponsiveTable label={label} columns={columns} rows={listed} keyOf={keyOf} />
    </div>
  );

/** A line may have several errors. */
const keyOf = (row: { line: number; column?: string | null; reason?: string }): string =>
  `${row.line} ${row.column} ${row.reason}`;

const lineColumn = {
  heading: 'Line',
  kind: 'number',
  width: '6rem',
  cell: ({ line }: { line: number }) => count(line),
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
      <ul>
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
