import { type Static, type TInteger, type TNull, type TString, type TUnion, Type } from 'typebox';
import { Book, NullableField } from '../book.ts';
import { byField, type OptionalFieldName, optionalFields, type WholeFieldName } from '../book-fields.ts';
import { maxQueryLength } from '../book-search.ts';
import { Term } from '../field-formats.ts';
import * as Part from '../schema-parts.ts';

const bookSales = {
  sold: Part.Count('How many were sold, without withdrawn and cancelled orders.'),
  revenue: Part.Money('The prices at which they were ordered'),
  lastSoldAt: Part.NullableTime('When one was sold last; null for a book that was not.'),
};
export type BookSales = Static<ReturnType<typeof Type.Object<typeof bookSales>>>;

export const DeskBook = Part.Named('DeskBook', {
  ...Book.properties,
  ...byField<{
    [Name in OptionalFieldName]: TUnion<[Name extends WholeFieldName ? TInteger : TString, TNull]>;
  }>(optionalFields, NullableField),
  addedAt: Part.Text('ISO 8601, UTC.'),
  removedAt: Part.Nullable('When it was deleted; null for a book for sale.'),
  removedBy: Type.Union([
    Type.Object({ email: Type.String() }),
    Type.Object({ token: Part.Text('The name of the script’s token.') }),
    Type.Null({ description: 'For sale, or not known any more.' }),
  ]),
  version: Part.Count('Counts its edits.'),
  onFrontTable: Part.TrueOrMissing('The owner has put it on the front table.'),
  ...bookSales,
});
export type DeskBook = Static<typeof DeskBook>;

export const DeskBooksQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['for-sale', 'sold-out', 'deleted', 'without-picture'], {
      description:
        'Those for sale come as `GET /books` lists them, the others by the time of their last sale or their deletion. ' +
        'Without it, those for sale come first, and then those that are sold out. `without-picture`: of the newest 10,000 for ' +
        'sale, those whose picture the store should have and has not.',
    }),
  ),
  q: Part.MaybeWords(maxQueryLength, 'Words, as for `GET /books`, or an id that the store has made.'),
  subject: Type.Optional(Term({ maxLength: 100, description: 'As for `GET /books`.' })),
  sort: Type.Optional(
    Type.Enum(['newest', 'title', 'price', 'sold', 'revenue', 'last-sale'], {
      description:
        'By what was sold, the most or the last comes first. Not for deleted books, nor for those without a picture.',
    }),
  ),
  limit: Part.PageLimit(),
  cursor: Part.LongCursor(2000),
});
export type DeskBooksQuery = Static<typeof DeskBooksQuery>;

export type ImportError = {
  /** The line number; the header is line 1. */
  line: number;
  /** Null if the whole row is wrong. */
  column: string | null;
  reason: string;
};

/** A book's changes by a file, for people to read: a text of more than 80 characters loses its middle. */
export type ImportChange = {
  line: number;
  id: string;
  title: string;
  isRestored: boolean;
  /** The changes in alphabetical order. A price is a text such as `12.99`. */
  fields: { name: string; from: string | null; to: string | null }[];
};

/** A line of the response to an import; the last line is a `result`, or `failed`. */
export type ImportEvent =
  | {
      type: 'progress';
      bytes: number;
      totalBytes: number;
      rows: number;
      /** All rows up to this line are done: ending the import now would not change their results. */
      line: number;
      rowsPerSecond: number;
      secondsLeft: number | null;
    }
  | {
      type: 'result';
      added: number;
      changed: number;
      restored: number;
      unchanged: number;
      /** The first 100 changed books of a dry run. */
      changes: ImportChange[];
      errors: ImportError[];
      errorCount: number;
      /** The number of added or changed books whose image should be in the store and is not. */
      missingImages: number;
    }
  /** The rows before stay imported: importing the same file again does the rest. `line`: as in `progress`. */
  | { type: 'failed'; code: string; title: string; line: number };
