import type { BookDetails, BookField } from '../../contract/book-fields.ts';
import type { ImportChange, ImportEvent } from '../../contract/desk/books.ts';
import { isDeleted } from '../catalogue/copies.ts';
import { changedFields } from '../catalogue/edit-book.ts';
import { WrongImage } from './fetch-image.ts';
import type { FoundBook } from './find-books.ts';
import type { RowError } from './read-csv.ts';

export type ImportResult = Omit<Extract<ImportEvent, { type: 'result' }>, 'type'>;

const maxErrors = 1_000;
const maxChanges = 100;

/** The effect of a row on the catalogue. A deleted book is restored, and perhaps changed too. */
export type Outcome = 'added' | 'changed' | 'restored' | 'unchanged';

const nothing = {
  ...{ added: 0, changed: 0, restored: 0, unchanged: 0 },
  ...{ changes: [], errors: [], errorCount: 0, missingImages: 0 },
};

export class Report {
  readonly result: ImportResult;

  constructor(result: ImportResult = nothing) {
    this.result = { ...result, changes: [...result.changes], errors: [...result.errors] };
  }

  addError(error: RowError): void {
    this.result.errorCount += 1;
    if (this.result.errors.length < maxErrors) this.result.errors.push(error);
  }

  /** @throws an error that is not {@link WrongImage}. */
  addWrongImage({ line }: { line: number }, error: unknown): void {
    if (!(error instanceof WrongImage)) throw error;
    this.addError({ line, column: 'image', reason: error.message });
  }

  /** Adds a mistake that ends the file, in a full list too: it says that the file goes on. */
  addLastError(error: RowError): void {
    this.result.errors.splice(maxErrors - 1);
    this.addError(error);
  }

  count(outcome: Outcome): void {
    this.result[outcome] += 1;
    if (outcome === 'restored') this.result.changed += 1;
  }

  addChange(line: number, book: FoundBook, details: BookDetails): void {
    if (this.result.changes.length < maxChanges) this.result.changes.push(changeOf(line, book, details));
  }
}

function changeOf(line: number, book: FoundBook, details: BookDetails): ImportChange {
  const shown = ({ write, property }: BookField, values: BookDetails) =>
    values[property] == null ? null : shortened(write(values[property]));
  const fields = changedFields(book, details).map((field) => ({
    name: field.name,
    from: shown(field, book),
    to: shown(field, details),
  }));
  return { line, id: book.id, title: shortened(book.title), isRestored: isDeleted(book), fields };
}

const maxShown = 80;

/** @returns the text on one line, a long one without its middle: two addresses often differ at their ends. */
function shortened(text: string): string {
  const letters = [...text.replace(/\n+/g, ' ')];
  if (letters.length <= maxShown) return letters.join('');
  return `${letters.slice(0, maxShown / 2).join('')}…${letters.slice(-maxShown / 2).join('')}`;
}
