import { type Static, type TInteger, type TNull, type TString, type TUnion, Type } from 'typebox';
import { Book, Copies, describeField } from '../book.ts';
import {
  bookFields,
  byField,
  type CountFieldName,
  csvColumns,
  maxCopies,
  type OptionalFieldName,
  optionalFields,
} from '../book-fields.ts';
import { maxQueryLength } from '../book-search.ts';
import { Nullable, NullableTime } from '../nullable.ts';
import { PageLimit } from '../page-parameters.ts';

const bookSales = {
  sold: Type.Integer({ description: 'How many were sold, without withdrawn orders.' }),
  revenue: Type.Number({ description: 'What buyers paid for them, two decimals.' }),
  lastSoldAt: NullableTime('When one was sold last; null for a book that was not.'),
};
/** The sales of a book in all. */
export type BookSales = Static<ReturnType<typeof Type.Object<typeof bookSales>>>;

/** A book as the desk shows it, for sale or deleted. */
export const DeskBook = Type.Object(
  {
    ...Book.properties,
    ...byField<{
      [Name in OptionalFieldName]: TUnion<[Name extends CountFieldName ? TInteger : TString, TNull]>;
    }>(optionalFields, (field) => (field.kind === 'count' ? Copies : Nullable)(describeField(field))),
    addedAt: Type.String({ description: 'ISO 8601, UTC.' }),
    removedAt: Nullable('When it was deleted; null for a book for sale.'),
    removedBy: Type.Union([
      Type.Object({ email: Type.String() }),
      Type.Object({ token: Type.String({ description: 'The name of the script’s token.' }) }),
      Type.Null({ description: 'For sale, or not known any more.' }),
    ]),
    version: Type.Integer({ description: 'Counts its edits.' }),
    onFrontTable: Type.Optional(
      Type.Literal(true, { description: 'The owner has put it on the front table.' }),
    ),
    ...bookSales,
  },
  { title: 'DeskBook' },
);
export type DeskBook = Static<typeof DeskBook>;

/** The query parameters of `GET /desk/api/books`. */
export const DeskBooksQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['for-sale', 'sold-out', 'deleted', 'without-picture'], {
      description:
        'Those for sale come as `GET /books` lists them, the others by the time of their last sale or their deletion. ' +
        'Without it, those for sale come first, and then those that are sold out. `without-picture`: of the newest 10,000 for ' +
        'sale, the first 200 whose picture the store should have and has not.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: maxQueryLength,
      description: 'Words, as for `GET /books`, or an id that the store has made.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(['newest', 'title', 'price', 'sold', 'revenue', 'last-sale'], {
      description:
        'By what was sold, the most or the last comes first. With `q` these three sort the first 200 matches, which are one page. ' +
        'Not for deleted books, nor for those without a picture.',
    }),
  ),
  limit: PageLimit(),
  cursor: Type.Optional(
    Type.String({ maxLength: 2000, description: 'From the Link header of the previous page.' }),
  ),
});
export type DeskBooksQuery = Static<typeof DeskBooksQuery>;

/** The query parameters of `POST /desk/api/books/import`. */
export const BooksImportQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Enum(['true', 'false'], { default: 'false', description: 'Only check the file, and count.' }),
  ),
});

/** A mistake in a file. */
export type ImportError = {
  /** From 1, the header's. */
  line: number;
  /** Null where the whole row is meant. */
  column: string | null;
  /** A sentence for the owner. */
  reason: string;
};

/** The changes of a book by a file, for people to read: a text of more than 80 characters is without its middle. */
export type ImportChange = {
  line: number;
  /** The book as the store has it. */
  id: string;
  title: string;
  /** It is a deleted book that is for sale again. */
  isRestored: boolean;
  /** In alphabetical order. A price is a text such as `12.99`. */
  fields: { name: string; from: string | null; to: string | null }[];
};

/** A line of the response to an import; the last one is a `result`, or `failed`. */
export type ImportEvent =
  | {
      type: 'progress';
      bytes: number;
      totalBytes: number;
      rows: number;
      /** All rows up to this line are done: what becomes of them does not change if the import ends now. */
      line: number;
      rowsPerSecond: number;
      secondsLeft: number | null;
    }
  | {
      type: 'result';
      added: number;
      /** With those that are restored. */
      changed: number;
      /** Deleted books that are for sale again. */
      restored: number;
      unchanged: number;
      /** The first 100 changed books of a dry run. */
      changes: ImportChange[];
      /** At most 1,000. */
      errors: ImportError[];
      errorCount: number;
      /** Added or changed books whose image, of the store, the store does not have. */
      missingImages: number;
    }
  | {
      /** The rows that were imported before stay: the same file again does the rest. */
      type: 'failed';
      code: string;
      title: string;
      /** As in `progress`. */
      line: number;
    };

/** A file of books, for the description. */
export const booksFileExample = [
  csvColumns.join(),
  ['', ...bookFields.map(({ example }) => example)].join(),
  '',
].join('\r\n');

/** The last line of the response to its import. */
const importResultExample: ImportEvent = {
  type: 'result',
  added: 1,
  changed: 0,
  restored: 0,
  unchanged: 0,
  changes: [],
  errors: [],
  errorCount: 0,
  missingImages: 0,
};

/** The response to its import, for the description. */
export const importResponseExample = `${JSON.stringify(importResultExample)}\n`;

/** The body of `POST /desk/api/books/{id}/copies`. */
export const CopiesChange = Type.Object(
  {
    by: Type.Integer({
      minimum: -maxCopies,
      maximum: maxCopies,
      description: 'How many copies come, or, below 0, are sold elsewhere. Two changes at once count twice.',
    }),
  },
  { title: 'CopiesChange' },
);
