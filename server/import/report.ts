import type { BookField } from '../../contract/book-fields.ts';
import type { ImportChange, ImportEvent } from '../../contract/desk/books.ts';
import { isDeleted } from '../catalogue/copies.ts';
import { changedFields } from '../catalogue/edit-book.ts';
import type { Outcome, PlannedRow } from './plan-rows.ts';
import type { RowError } from './read-csv.ts';

export type ImportResult = Omit<Extract<ImportEvent, { type: 'result' }>, 'type'>;

const maxErrors = 1_000;
const maxChanges = 100;

export const noRows: ImportResult = {
  ...{ added: 0, changed: 0, restored: 0, unchanged: 0 },
  ...{ changes: [], errors: [], errorCount: 0, missingImages: 0 },
};

/** @returns the result of the earlier rows and of these. Only a dry run lists the changes. */
export function withRows(
  before: ImportResult,
  rows: readonly (PlannedRow | RowError)[],
  { isDryRun, missingImages }: { isDryRun: boolean; missingImages: number },
): ImportResult {
  const errors = rows.filter((row) => 'reason' in row);
  const planned = rows.filter((row) => 'outcome' in row);
  const count = (outcome: Outcome) => planned.filter((row) => row.outcome === outcome).length;
  const restored = count('restored');
  return {
    added: before.added + count('added'),
    changed: before.changed + count('changed') + restored,
    restored: before.restored + restored,
    unchanged: before.unchanged + count('unchanged'),
    changes: isDryRun ? [...before.changes, ...planned.flatMap(changeOf)].slice(0, maxChanges) : [],
    errors: [...before.errors, ...errors].slice(0, maxErrors),
    errorCount: before.errorCount + errors.length,
    missingImages: before.missingImages + missingImages,
  };
}

/** @param error that ends the file. Even a full list gets it: it says that the file goes on. */
export const withLastError = (before: ImportResult, error: RowError): ImportResult => ({
  ...before,
  errors: [...before.errors.slice(0, maxErrors - 1), error],
  errorCount: before.errorCount + 1,
});

function changeOf({ line, book, details, outcome }: PlannedRow): ImportChange[] {
  if (!book || outcome === 'unchanged') return [];
  const shown = ({ write, property }: BookField, values: PlannedRow['details']) =>
    values[property] == null ? null : shortened(write(values[property]));
  const fields = changedFields(book, details).map((field) => ({
    name: field.name,
    from: shown(field, book),
    to: shown(field, details),
  }));
  return [{ line, id: book.id, title: shortened(book.title), isRestored: isDeleted(book), fields }];
}

const maxShown = 80;

/** @returns the text on one line. A long text loses its middle, because two addresses often differ at their ends. */
function shortened(text: string): string {
  const letters = [...text.replace(/\n+/g, ' ')];
  if (letters.length <= maxShown) return letters.join('');
  return `${letters.slice(0, maxShown / 2).join('')}…${letters.slice(-maxShown / 2).join('')}`;
}
