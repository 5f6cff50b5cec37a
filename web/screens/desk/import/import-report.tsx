import type { ReactNode, Ref } from 'react';
import type { ImportError } from '../../../../contract/desk-books.ts';
import type { ImportResult } from '../../../api/desk-import.ts';
import { type Column, ResponsiveTable } from '../../../components/responsive-table.tsx';
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
  const { added, changed, unchanged, errors, errorCount, missingImages } = result;
  return (
    <section className={styles.report} aria-label={fileName}>
      <h2 ref={headingRef} tabIndex={-1}>
        {headingOf(result, isDryRun)}
      </h2>
      <dl className={styles.counts}>
        <Count name={isDryRun ? 'New books' : 'Added'} value={added} />
        <Count name={isDryRun ? 'To change' : 'Changed'} value={changed} />
        <Count name="Unchanged" value={unchanged} />
        <Count name={isDryRun ? 'Rows with errors' : 'Rows left out'} value={errorCount} />
      </dl>
      {missingImages > 0 && (
        <p>
          {missingImages === 1 ? 'One book has' : `${missingImages.toLocaleString('en')} books have`} an image
          of this store that the store does not have. Upload it under Books.
        </p>
      )}
      {children && <div>{children}</div>}
      {errorCount > 0 && (
        <div className={styles.errors}>
          <p>
            {isDryRun
              ? 'These rows would be left out. Correct them in the file and choose it again, or import the others.'
              : 'These rows were left out. Correct them and import the file again: the others stay as they are.'}
            {errorCount > errors.length && ` The first ${errors.length.toLocaleString('en')} of them:`}
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

const Count = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value.toLocaleString('en')}</dd>
  </div>
);

const keyOf = ({ line, column, reason }: ImportError): string => `${line} ${column} ${reason}`;

const columns: Column<ImportError>[] = [
  {
    heading: 'Line',
    kind: 'number',
    width: '6rem',
    cell: ({ line }) => line.toLocaleString('en'),
    isLabelledWhenCompact: true,
  },
  {
    heading: 'Column',
    kind: 'text',
    width: '10rem',
    cell: ({ column }) => column ?? 'the whole row',
    isLabelledWhenCompact: true,
  },
  { heading: 'Reason', kind: 'title', cell: ({ reason }) => reason },
];
