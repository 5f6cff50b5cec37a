/** The fields of a book, declared once: schemas, columns, forms, options and the audit trail derive from them. The browser loads this plain data. */

import { normalizeBookImage } from './book-image.ts';
import { readIsbn } from './isbn.ts';
import { amountToCents, centsToAmount } from './money.ts';
import { tidyLines, tidyText, tidyValue } from './pasted-text.ts';
import { maxSeriesLength } from './series.ts';
import { isDay } from './shop-days.ts';

type StoredByKind = {
  line: string;
  lines: string;
  /** The amount is in cents. */
  price: number;
  image: string;
  /** True if `books` has no column for the field: rows of another table are counted (catalogue/copies.ts). */
  count: number;
  number: number;
  isbn: string;
  /** A language tag (BCP 47). */
  language: string;
  /** A year, or a day. */
  published: string;
};

type Declaration = {
  kind: keyof StoredByKind;
  label: string;
  hint: string;
  example: string;
  maxLength: number;
  isRequired?: true;
  /** True if only the desk shows the field. */
  isHidden?: true;
  /** True if the shop shows the field on the book's page, but not in lists. */
  isDetail?: true;
  /** True if the words of the field find the book. */
  isSearched?: true;
};

/** The fields, in the order of the CSV file and of a form's inputs; the form has the image's input last. */
const declarations = {
  title: {
    kind: 'line',
    label: 'Title',
    hint: 'its title',
    example: 'Emma',
    maxLength: 500,
    isSearched: true,
    isRequired: true,
  },
  author: {
    kind: 'line',
    label: 'Author',
    hint: 'its author, or several in one text',
    example: 'Jane Austen',
    maxLength: 1000,
    isSearched: true,
    isRequired: true,
  },
  price: {
    kind: 'price',
    label: 'Price',
    hint: 'its price in the store’s currency, such as 12.99',
    example: '12.99',
    maxLength: 10,
    isRequired: true,
  },
  image: {
    kind: 'image',
    label: 'Address of the image',
    hint: 'its cover: an https: address, or the path of an image on the store',
    example: 'https://covers.example/emma.jpg',
    maxLength: 2000,
    isRequired: true,
  },
  keywords: {
    kind: 'line',
    label: 'Subjects',
    hint: 'its subjects, with commas between them, and in parentheses further words that find it, such as its title in other languages',
    example: 'Novels, England (Highbury)',
    maxLength: 1000,
    isHidden: true,
    isSearched: true,
  },
  copies: {
    kind: 'count',
    label: 'Copies',
    hint: 'how many copies can be sold, up to 9,999; without it, any number',
    example: '3',
    maxLength: 4,
    isHidden: true,
  },
  isbn: {
    kind: 'isbn',
    label: 'ISBN',
    hint: 'its ISBN, of 10 or 13 digits, with or without hyphens; the store keeps 13 digits',
    example: '978-0-14-143958-7',
    maxLength: 40,
    isDetail: true,
    isSearched: true,
  },
  description: {
    kind: 'lines',
    label: 'Description',
    hint: 'a few lines about it, such as its condition: plain text, with paragraphs',
    example: 'Handsome, clever, and rich. A clean copy.',
    maxLength: 2000,
    isDetail: true,
  },
  pages: {
    kind: 'number',
    label: 'Pages',
    hint: 'how many pages it has',
    example: '512',
    maxLength: 5,
    isDetail: true,
  },
  language: {
    kind: 'language',
    label: 'Language',
    hint: 'the tag of its language, such as en or pt-BR',
    example: 'en',
    maxLength: 35,
    isDetail: true,
  },
  published: {
    kind: 'published',
    label: 'Published',
    hint: 'when it was published: a year such as 1815, or a day such as 1815-12-23',
    example: '1815',
    maxLength: 10,
    isDetail: true,
  },
  publisher: {
    kind: 'line',
    label: 'Publisher',
    hint: 'its publisher',
    example: 'John Murray',
    maxLength: 200,
    isDetail: true,
    isSearched: true,
  },
  format: {
    kind: 'line',
    label: 'Format',
    hint: 'its binding, and its size if you like',
    example: 'Paperback, 13 × 20 cm',
    maxLength: 60,
    isDetail: true,
  },
  series: {
    kind: 'line',
    label: 'Series',
    hint: 'the series that it belongs to',
    example: 'The Works of Jane Austen',
    maxLength: maxSeriesLength.series,
    isSearched: true,
  },
  seriesNumber: {
    kind: 'line',
    label: 'Number in the series',
    hint: 'its number in the series',
    example: '4',
    maxLength: maxSeriesLength.seriesNumber,
  },
} as const satisfies Readonly<Record<string, Declaration>>;

export const maxCopies = 9_999;
export const numberLimits = {
  count: { minimum: 0, maximum: maxCopies },
  number: { minimum: 1, maximum: 99_999 },
} as const;
export type NumberKind = keyof typeof numberLimits;
export const isNumber = (kind: string): kind is NumberKind => kind in numberLimits;

type Stored = string | number | null;

type Kind = {
  tidy(text: string): string;
  /** @param text a tidy text. @returns undefined for a text that cannot be stored. */
  read(text: string, storeOrigin: string): Stored | undefined;
  /** @param decimals those of the store's currency. */
  write(stored: string | number, decimals: number): string;
  /** @returns a stored value in the form of the API and of the audit trail. */
  show(stored: string | number): string | number;
  /** @returns a typed text in the form of the API, if the two differ. */
  send?(text: string): unknown;
};

const line: Kind = { tidy: tidyText, read: (text) => text, write: String, show: String };
const wholeNumber = (kind: NumberKind): Kind => {
  const { minimum, maximum } = numberLimits[kind];
  const read = (text: string): number | undefined => {
    // A spreadsheet may have added decimals.
    const number = Number(/^(\d{1,5})(?:[.,]0{1,2})?$/.exec(text)?.[1]);
    return number >= minimum && number <= maximum ? number : undefined;
  };
  // A text that is no number stays, so that the store can say what is wrong with it.
  const send = (text: string) => (tidyValue(text) === '' ? null : (read(tidyValue(text)) ?? text));
  return { tidy: tidyValue, read, write: String, show: Number, send };
};

/** @returns the usual form of a tag: `pt-BR` for `PT-br`. No language has a name of more than three letters, as `English` has. */
export const readLanguage = (text: string): string | undefined => {
  try {
    const { language, baseName } = new Intl.Locale(text);
    return language.length > 3 ? undefined : baseName;
  } catch {
    return undefined;
  }
};

export const readPublished = (text: string): string | undefined =>
  /^\d{1,4}$/.test(text) || isDay(text) ? text : undefined;

const kinds: Readonly<Record<keyof StoredByKind, Kind>> = {
  line,
  lines: { ...line, read: tidyLines },
  isbn: { ...line, tidy: tidyValue, read: readIsbn },
  image: { ...line, tidy: tidyValue, read: normalizeBookImage },
  price: {
    tidy: tidyValue,
    read: amountToCents,
    write: (cents, decimals) => centsToAmount(Number(cents)).toFixed(decimals),
    show: (cents) => centsToAmount(Number(cents)),
  },
  count: wholeNumber('count'),
  number: wholeNumber('number'),
  language: { ...line, tidy: tidyValue, read: readLanguage },
  published: { ...line, tidy: tidyValue, read: readPublished },
};

type Declared = typeof declarations;
export type BookFieldName = keyof Declared;
type NameOf<Part> = { [Name in BookFieldName]: Declared[Name] extends Part ? Name : never }[BookFieldName];
export type OptionalFieldName = Exclude<BookFieldName, NameOf<{ isRequired: true }>>;
export type ShownFieldName = Exclude<BookFieldName, NameOf<{ isHidden: true }>>;
export type ListedFieldName = Exclude<ShownFieldName, NameOf<{ isDetail: true }>>;
export type SearchedFieldName = NameOf<{ isSearched: true }>;
export type PriceFieldName = NameOf<{ kind: 'price' }>;
export type WholeFieldName = NameOf<{ kind: NumberKind }>;
export type StoredFieldName = Exclude<BookFieldName, NameOf<{ kind: 'count' }>>;

/** The columns that have another name than their fields. */
const columnNames = { price: 'price_cents', seriesNumber: 'series_number' } as const;
type ColumnNames = typeof columnNames;

/** The name in the table `books`, and in the server's objects. */
export type ColumnOf<Name extends BookFieldName> = Name extends keyof ColumnNames ? ColumnNames[Name] : Name;
export type PropertyOf<Name extends BookFieldName> = Name extends PriceFieldName ? `${Name}Cents` : Name;
type StoredOf<Name extends BookFieldName> =
  | StoredByKind[Declared[Name]['kind']]
  | (Name extends OptionalFieldName ? null : never);

export type BookColumns = { [Name in StoredFieldName as ColumnOf<Name>]: StoredOf<Name> };
/** The values in the server. An optional value may be null. */
export type BookValues = { [Name in BookFieldName as PropertyOf<Name>]: StoredOf<Name> };
type OptionalProperty = PropertyOf<OptionalFieldName>;
/** A book before it has an id. An optional field may be left out. */
export type BookDetails = Omit<BookValues, OptionalProperty> & Partial<Pick<BookValues, OptionalProperty>>;
export type BookTexts = Readonly<Record<BookFieldName, string>>;

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const fieldFrom = (name: BookFieldName) => {
  const declared: Declaration = declarations[name];
  const isOptional = !declared.isRequired;
  const { tidy, read, write, show, send } = kinds[declared.kind];
  // The API has a price as `{value}` (spec, section 3).
  const isWrapped = declared.kind === 'price';
  const wrap = <Value>(value: Value): Value | { value: Value } => (isWrapped ? { value } : value);
  return {
    ...declared,
    name,
    isOptional,
    limits: isNumber(declared.kind) ? numberLimits[declared.kind] : undefined,
    // The cast is right: the list's types have the same names. A counted field has no column.
    column: ((columnNames as Partial<Record<BookFieldName, string>>)[name] ?? name) as keyof BookColumns,
    property: (isWrapped ? `${name}Cents` : name) as keyof BookValues,
    tidy,
    errorPath: isWrapped ? `${name}.value` : name,
    /** The field's names in the details of an edit in the audit trail, such as `oldPrice`. */
    inTrail: { old: `old${capitalized(name)}`, new: `new${capitalized(name)}` },
    wrap,
    send: send ?? wrap,
    read: (text: string, storeOrigin: string): Stored | undefined =>
      isOptional && tidy(text) === '' ? null : read(tidy(text), storeOrigin),
    write: (stored: Stored, decimals = 2): string => (stored === null ? '' : write(stored, decimals)),
    show: (stored: Stored): string | number => (stored === null ? '' : show(stored)),
    present: (stored: Stored) => (stored === null ? null : wrap(show(stored))),
  };
};
export type BookField = ReturnType<typeof fieldFrom>;

// The type of Object.keys does not have the names of the object.
export const bookFields = (Object.keys(declarations) as BookFieldName[]).map(fieldFrom);
export const storedFields = bookFields.filter(({ kind }) => kind !== 'count');
export const optionalFields = bookFields.filter(({ isOptional }) => isOptional);
export const shownFields = bookFields.filter(({ isHidden }) => !isHidden);
export const listedFields = shownFields.filter(({ isDetail }) => !isDetail);
export const searchedFields = bookFields.filter(({ isSearched }) => isSearched);

/** @typeParam Of the type of the object, which Object.fromEntries loses. Undefined values are left out. */
export const byField = <Of>(
  fields: readonly BookField[],
  give: (field: BookField) => unknown,
  by: 'name' | 'column' | 'property' = 'name',
): Of =>
  Object.fromEntries(
    fields.map((field) => [field[by], give(field)] as const).filter(([, value]) => value !== undefined),
  ) as Of;

export const fieldsByName = byField<Readonly<Record<BookFieldName, BookField>>>(bookFields, (field) => field);

export const textOfSent = (value: unknown): string =>
  String((typeof value === 'object' && value !== null && 'value' in value ? value.value : value) ?? '');

const namesOf = (fields: readonly BookField[]) => fields.map(({ name }) => name);
export const csvColumns = ['id', ...namesOf(bookFields)] as const;
export type CsvColumn = (typeof csvColumns)[number];
export const requiredColumns: readonly CsvColumn[] = namesOf(
  bookFields.filter(({ isOptional }) => !isOptional),
);

const inWords = (names: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat('en-GB', { type }).format(names);
export const searchedInWords = inWords(namesOf(searchedFields), 'disjunction');
export const columnsInWords = {
  required: inWords(requiredColumns),
  optional: inWords([...namesOf(optionalFields), 'id']),
};
