/** The report of an import: its faults and counts so far, and at its end its result. */

import type { BookDetails, BookField } from '../../contract/book-fields.ts';
import type { ImportEvent } from '../../contract/desk/books.ts';
import { isDeleted } from '../catalogue/copies.ts';
import { changedFields } from '../catalogue/edit-book.ts';
import type { ImportRow } from './check-row.ts';
import type { RowError } from './read-csv.ts';
import type { FoundBook, Outcome } from './write-rows.ts';

/** `changes` and `lookalikes` have the first {@link maxExamples}, `errors` the first {@link maxErrors}. */
export type ImportResult = Omit<Extract<ImportEvent, { type: 'result' }>, 'type'>;

const maxErrors = 1_000;
const maxExamples = 100;

/** How far an import is, as the audit trail has it. */
export type Tally = {
  added: number;
  /** With the restored ones. */
  changed: number;
  restored: number;
  unchanged: number;
  errors: number;
  /** The line up to which all is done. */
  line: number;
};

export type Report = {
  readonly result: Readonly<ImportResult>;
  addError(error: RowError): void;
  /** Adds a mistake that ends the file, in a full list too: it says that the file goes on. */
  addLastError(error: RowError): void;
  count(outcome: Outcome): void;
  addMissingImage(): void;
  /** Shows what a row changes of its book. */
  addChange(row: ImportRow, book: FoundBook): void;
  /** @param like the book of the store that is spelled like the row. */
  addLookalike(row: ImportRow, like: { id: string; title: string; author: string }): void;
  /** @returns the counts up to a line, with outcomes that are not committed yet. */
  tally(line: number, outcomes?: Iterable<Outcome>): Tally;
  /** Takes over the counts of a commit. */
  commit(tally: Tally): void;
};

export function openReport(): Report {
  const result: ImportResult = {
    added: 0,
    changed: 0,
    restored: 0,
    unchanged: 0,
    changes: [],
    lookalikes: [],
    lookalikeCount: 0,
    errors: [],
    errorCount: 0,
    missingImages: 0,
  };
  const addError = (error: RowError) => {
    result.errorCount += 1;
    if (result.errors.length < maxErrors) result.errors.push(error);
  };
  return {
    result,
    addError,
    addLastError(error) {
      result.errors.splice(maxErrors - 1);
      addError(error);
    },
    count: (outcome) => count(result, outcome),
    addMissingImage() {
      result.missingImages += 1;
    },
    addChange(row, book) {
      if (result.changes.length < maxExamples) result.changes.push(changeOf(row, book));
    },
    addLookalike({ line, details: { title, author } }, like) {
      result.lookalikeCount += 1;
      if (result.lookalikes.length >= maxExamples) return;
      result.lookalikes.push({
        line,
        title: shortened(title),
        author: shortened(author),
        like: { id: like.id, title: shortened(like.title), author: shortened(like.author) },
      });
    },
    tally(line, outcomes = []) {
      const { added, changed, restored, unchanged, errorCount: errors } = result;
      const tally = { added, changed, restored, unchanged, errors, line };
      for (const outcome of outcomes) count(tally, outcome);
      return tally;
    },
    commit({ added, changed, restored, unchanged }) {
      Object.assign(result, { added, changed, restored, unchanged });
    },
  };
}

function count(counts: Pick<Tally, Outcome>, outcome: Outcome): void {
  counts[outcome] += 1;
  if (outcome === 'restored') counts.changed += 1;
}

function changeOf({ line, details }: ImportRow, book: FoundBook): ImportResult['changes'][number] {
  const shown = ({ write, property }: BookField, values: BookDetails) =>
    values[property] == null ? null : shortened(write(values[property]));
  const fields = changedFields(book, details).map((field) => ({
    name: field.name,
    from: shown(field, book),
    to: shown(field, details),
  }));
  const { id, title } = book;
  return { line, id, title: shortened(title), isRestored: isDeleted(book), fields };
}

const maxShown = 80;

/** @returns the text on one line, a long one without its middle: two addresses often differ at their ends. */
function shortened(text: string): string {
  const letters = [...text.replace(/\n+/g, ' ')];
  if (letters.length <= maxShown) return letters.join('');
  return `${letters.slice(0, maxShown / 2).join('')}…${letters.slice(-maxShown / 2).join('')}`;
}
