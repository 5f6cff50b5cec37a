import type { ReactNode } from 'react';
import type { ImportChange, ImportError, ImportEvent } from '../../../contract/desk/books.ts';
import { Fact } from '../../components/fact.tsx';
import { ResponsiveTable } from '../../components/responsive-table.tsx';
import { money } from '../../store-config.ts';
import { detail, number, text, title } from '../columns.tsx';

export type ImportResult = Extract<ImportEvent, { type: 'result' }>;

type ImportReportProps = {
  fileName: string;
  isDryRun: boolean;
  result: ImportResult;
  children: ReactNode;
};

/** The result of an import or of its check: the counts, and the rows that were left out. Its heading gets the focus. */
export const ImportReport = ({ fileName, isDryRun, result, children }: ImportReportProps) => {
  const { added, changed, restored, unchanged, changes, errors, errorCount, missingImages } = result;
  return (
    <section className="stack loose" aria-label={fileName}>
      <h2 ref={takeFocus} tabIndex={-1}>
        {headingOf(result, isDryRun)}
      </h2>
      <dl className="facts flow large">
        <Fact name={isDryRun ? 'New books' : 'Added'}>{count(added)}</Fact>
        <Fact name={isDryRun ? 'To change' : 'Changed'}>{count(changed - restored)}</Fact>
        {restored > 0 && <Fact name={isDryRun ? 'To restore' : 'Restored'}>{count(restored)}</Fact>}
        <Fact name="Unchanged">{count(unchanged)}</Fact>
        <Fact name={isDryRun ? 'Rows with errors' : 'Rows left out'}>{count(errorCount)}</Fact>
      </dl>
      {missingImages > 0 && (
        <p>
          {missingImages === 1 ? 'One book has' : `${count(missingImages)} books have`} an image of this store
          that the store does not have. Upload it under Books.
        </p>
      )}
      {children && <div>{children}</div>}
      {errorCount > 0 && (
        <div className="stack">
          <p>
            {isDryRun
              ? `These rows would be left out. Correct them in the file and choose it again${added + changed > 0 ? ', or import the others' : ''}.`
              : 'These rows were left out. Correct them and import the file again: the others stay as they are.'}
            {firstOf(errors, errorCount)}
          </p>
          <ResponsiveTable label="Errors in the file" columns={errorColumns} rows={errors} keyOf={keyOf} />
        </div>
      )}
      {changes.length > 0 && (
        <div className="stack">
          <p>
            Changes in {changed === 1 ? 'one book' : `${count(changed)} books`}.{firstOf(changes, changed)}
          </p>
          <ResponsiveTable label="Changes of books" columns={changeColumns} rows={changes} keyOf={keyOf} />
        </div>
      )}
    </section>
  );
};

const takeFocus = (heading: HTMLElement | null): void => heading?.focus();

const headingOf = ({ added, changed, unchanged, errorCount }: ImportResult, isDryRun: boolean): string => {
  if (!isDryRun) return errorCount > 0 ? 'Imported, apart from some rows' : 'Imported';
  if (errorCount > 0 && added + changed + unchanged > 0) return 'Checked: some rows have errors';
  if (errorCount > 0) return 'Checked: no row can be imported';
  if (added + changed > 0) return 'Checked: ready to import';
  return unchanged > 0 ? 'Checked: every book is there already' : 'Checked: the file has no books';
};

const count = (value: number): string => value.toLocaleString('en');

/** The store lists only the first items. */
const firstOf = (listed: readonly unknown[], all: number): string =>
  all > listed.length ? ` The first ${count(listed.length)} of them:` : '';

/** A line may have several errors. */
const keyOf = (row: { line: number; column?: string | null; reason?: string }): string =>
  `${row.line} ${row.column} ${row.reason}`;

const line = number<{ line: number }>('Line', ({ line }) => line);

const changeColumns = [
  title<ImportChange>('Book', ({ title }) => ({ title })),
  line,
  text<ImportChange>(
    'Change',
    ({ isRestored, fields }) => (
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
    { width: '55%' },
  ),
];

const shownValue = (name: string, value: string | null): string => {
  if (value === null) return 'none';
  return name === 'price' ? money.format(Number(value)) : value;
};

const errorColumns = [
  line,
  detail<ImportError>('Column', ({ column }) => column ?? 'the whole row', { width: '10rem' }),
  title<ImportError>('Reason', ({ reason }) => ({ title: reason })),
];
