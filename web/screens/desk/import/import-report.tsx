import type { ReactNode, Ref } from 'react';
import type { ImportChange, ImportError, ImportLookalike } from '../../../../contract/desk-books.ts';
import type { ImportResult } from '../../../api/desk-import.ts';
import { formatPrice } from '../../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../../components/responsive-table.tsx';
import { Figures } from '../figures.tsx';
import styles from './import-report.module.css';

type ImportReportProps = {
  headingRef: Ref<HTMLHeadingElement>;
  fileName: string;
  isDryRun: boolean;
  result: ImportResult;
  /** What to do next. */
  children: ReactNode;
};

/** What an import did, or would do: the counts, and the rows that are left out. Its heading takes the focus. */
export const ImportReport = ({ headingRef, fileName, isDryRun, result, children }: ImportReportProps) => {
  const { added, changed, restored, unchanged, errors, errorCount, missingImages } = result;
  const { changes, lookalikes, lookalikeCount } = result;
  return (
    <section className={styles.report} aria-label={fileName}>
      <h2 ref={headingRef} tabIndex={-1}>
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
          {missingImages === 1 ? 'One book has' : `${missingImages.toLocaleString('en')} books have`} an image
          of this store that the store does not have. Upload it under Books.
        </p>
      )}
      {children && <div>{children}</div>}
      {lookalikeCount > 0 && (
        <div className={styles.rows}>
          <p>
            {lookalikeCount === 1
              ? 'One new book is spelled like a book of the store, but for capital letters or spaces.'
              : `${lookalikeCount.toLocaleString('en')} new books are spelled like books of the store, but for capital letters or spaces.`}
            {isDryRun
              ? ' To change the book of the store instead, write its title and author as they are there.'
              : ' The store has both now: delete the one that you do not want.'}
            {firstOf(lookalikes, lookalikeCount)}
          </p>
          <ResponsiveTable
            label="Books that are spelled like others"
            columns={lookalikeColumns}
            rows={lookalikes}
            keyOf={lineOf}
            whenNarrow="compact rows"
          />
        </div>
      )}
      {errorCount > 0 && (
        <div className={styles.rows}>
          <p>
            {isDryRun
              ? 'These rows would be left out. Correct them in the file and choose it again, or import the others.'
              : 'These rows were left out. Correct them and import the file again: the others stay as they are.'}
            {firstOf(errors, errorCount)}
          </p>
          <ResponsiveTable
            label="Errors in the file"
            columns={columns}
            rows={errors}
            keyOf={keyOf}
            whenNarrow="compact rows"
          />
        </div>
      )}
      {changes.length > 0 && (
        <div className={styles.rows}>
          <p>
            Changes in {changed === 1 ? 'one book' : `${changed.toLocaleString('en')} books`}.
            {firstOf(changes, changed)}
          </p>
          <ResponsiveTable
            label="Changes of books"
            columns={changeColumns}
            rows={changes}
            keyOf={lineOf}
            whenNarrow="compact rows"
          />
        </div>
      )}
    </section>
  );
};

/** @returns what to say of a list that has not all. */
const firstOf = (listed: readonly unknown[], count: number): string =>
  count > listed.length ? ` The first ${listed.length.toLocaleString('en')} of them:` : '';

const headingOf = ({ added, changed, unchanged, errorCount }: ImportResult, isDryRun: boolean): string => {
  if (!isDryRun) return errorCount > 0 ? 'Imported, apart from some rows' : 'Imported';
  if (added + changed > 0)
    return errorCount > 0 ? 'Checked: some rows have errors' : 'Checked: ready to import';
  if (errorCount > 0) return 'Checked: no row can be imported';
  return unchanged > 0 ? 'Checked: every book is there already' : 'Checked: the file has no books';
};

const count = (value: number): string => value.toLocaleString('en');

const keyOf = ({ line, column, reason }: ImportError): string => `${line} ${column} ${reason}`;

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

const lookalikeColumns: Column<ImportLookalike>[] = [
  { heading: 'New book', kind: 'title', cell: ({ title, author }) => `${title}, ${author}` },
  lineColumn,
  {
    heading: 'In the store',
    kind: 'text',
    width: '45%',
    cell: ({ like }) => `${like.title}, ${like.author}`,
  },
];

const columns: Column<ImportError>[] = [
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
