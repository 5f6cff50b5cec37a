import type { ReactNode, Ref } from 'react';
import type { ImportResult } from '../../api/desk-import.ts';
import { Figures } from '../figures.tsx';
import styles from './import.module.css';
import { ImportChanges, ImportErrors } from './import-rows.tsx';

type ImportReportProps = {
  headingRef: Ref<HTMLHeadingElement>;
  fileName: string;
  isDryRun: boolean;
  result: ImportResult;
  /** The next steps. */
  children: ReactNode;
};

/** The result of an import, or of its check: the counts, and the rows that are left out. Its heading takes the focus. */
export const ImportReport = ({ headingRef, fileName, isDryRun, result, children }: ImportReportProps) => {
  const { added, changed, restored, unchanged, changes, errors, errorCount, missingImages } = result;
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
      <ImportErrors isDryRun={isDryRun} hasOthers={added + changed > 0} listed={errors} count={errorCount} />
      {changes.length > 0 && <ImportChanges listed={changes} count={changed} />}
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
