import { type ExpressionBuilder, sql } from 'kysely';
import {
  type BookField,
  type ColumnOf,
  type ListedFieldName,
  listedFields,
  type PropertyOf,
  type SearchedFieldName,
  type ShownFieldName,
  type StoredFieldName,
  searchedFields,
  shownFields,
  storedFields,
} from '../../contract/book-fields.ts';
import { imageAddress } from '../../contract/image-address.ts';
import type { Tables } from '../database/tables.ts';

type SelectedColumn<Name extends StoredFieldName> = {
  [Each in Name]: `books.${ColumnOf<Each>}${ColumnOf<Each> extends PropertyOf<Each> ? '' : ` as ${PropertyOf<Each>}`}`;
}[Name];

const columnsOf = <Name extends StoredFieldName>(fields: readonly BookField[]) =>
  fields.map(
    ({ column, property }) =>
      // The type says the same, name by name.
      `books.${column}${column === property ? '' : ` as ${property}`}` as SelectedColumn<Name>,
  );

export const allColumns = columnsOf<StoredFieldName>(storedFields);
export const searchedColumns = columnsOf<SearchedFieldName>(searchedFields);

export const listedColumns = ['books.id', ...columnsOf<ListedFieldName>(listedFields)] as const;
export const bookColumns = ['books.id', ...columnsOf<ShownFieldName>(shownFields)] as const;

const beforeImageId = imageAddress('').indexOf('.');

/** The id of a book's picture, if the store has the picture. */
export const imageId = sql<string>`substr(books.image, ${sql.lit(beforeImageId + 1)}, 32)`;

/** The colour of a book's picture, where the store has the picture and has found its colour. */
export const coverColour = sql<string | null>`(select colour from images where images.id = ${imageId})`.as(
  'coverColour',
);

export const isNotDeleted = ({ or, eb }: ExpressionBuilder<Tables, 'books'>) =>
  or([eb('books.removed_at', 'is', null), eb('books.sold_out_at', 'is not', null)]);
