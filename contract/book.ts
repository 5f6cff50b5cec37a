import { type Static, type TInteger, type TOptional, type TString, Type } from 'typebox';
import {
  type BookField,
  type BookFieldName,
  bookFields,
  byField,
  capitalized,
  fieldsByName,
  isNumber,
  type ListedFieldName,
  listedFields,
  type NumberKind,
  numberLimits,
  type OptionalFieldName,
  type PriceFieldName,
  type ShownFieldName,
  searchedInWords,
  shownFields,
  type WholeFieldName,
} from './book-fields.ts';
import { maxQueryLength, slugPattern, sortOrders } from './book-search.ts';
import { AmountText, BookImage, GivenPrice, Line, OptionalText, Term } from './field-formats.ts';
import * as Part from './schema-parts.ts';

const describeField = ({ hint }: BookField): string => `${capitalized(hint)}.`;

const WholeNumber = (kind: NumberKind, description: string) =>
  Type.Union([Type.Integer(numberLimits[kind]), Type.Null()], { description });
export const NullableField = (field: BookField) =>
  isNumber(field.kind) ? WholeNumber(field.kind, describeField(field)) : Part.Nullable(describeField(field));

const ShownPrice = (description: string) => Type.Object({ value: Type.Number({ description }) });

type Shown<Name extends BookFieldName> = Name extends PriceFieldName
  ? ReturnType<typeof ShownPrice>
  : Name extends OptionalFieldName
    ? TOptional<Name extends WholeFieldName ? TInteger : TString>
    : TString;
type Given<Name extends BookFieldName> = Name extends PriceFieldName
  ? ReturnType<typeof GivenPrice>
  : Name extends WholeFieldName
    ? ReturnType<typeof WholeNumber>
    : TString;

const shownSchema = (field: BookField) => {
  const description = describeField(field);
  if (field.kind === 'price') return ShownPrice(description);
  const schema = field.kind === 'number' ? Part.Count(description) : Part.Text(description);
  return field.isOptional ? Type.Optional(schema) : schema;
};

const bookId = '0f6f1e0c-5b0a-4c1e-9d4e-2f8a7c6b5d43';
const exampleWith = (fields: readonly BookField[]) => ({
  _id: bookId,
  ...byField<object>(fields, ({ example, read, present }) => present(read(example, '') ?? null)),
});
const bookExample = { ...exampleWith(shownFields), isbnText: fieldsByName.isbn.example };

const shownSchemas = <Name extends ShownFieldName>(fields: readonly BookField[]) => ({
  _id: Part.Text('The book’s id, which never changes.'),
  ...byField<{ [Each in Name]: Shown<Each> }>(fields, shownSchema),
});

export const ListedBook = Part.Named(
  'ListedBook',
  shownSchemas<ListedFieldName>(listedFields),
  exampleWith(listedFields),
);

export const Book = Part.Named(
  'Book',
  {
    ...shownSchemas<ShownFieldName>(shownFields),
    isbnText: Type.Optional(Part.Text('The ISBN with its hyphens.')),
  },
  bookExample,
);
export type Book = Static<typeof Book>;

export const BookInStock = Part.Named(
  'BookInStock',
  {
    ...Book.properties,
    soldOut: Part.TrueOrMissing('No copy is left.'),
    copiesLeft: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3, description: 'The last copies of it. Left out for more.' }),
    ),
    subjects: Type.Optional(
      Type.Array(Type.String(), { description: 'Its subjects, which are among its keywords.' }),
    ),
    languageText: Type.Optional(Part.Text('The English name of its language.')),
    authors: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          slug: Part.Text('`GET /books?author=` lists their books; empty for a name without letters.'),
        }),
        { description: 'Its authors, one by one.' },
      ),
    ),
    seriesSlug: Type.Optional(Part.Text('`GET /books?series=` lists the books of its series.')),
    coverColour: Type.Optional(
      Type.String({
        pattern: '^#[0-9a-f]{6}$',
        description: 'The colour that most of its picture has, where the store has the picture.',
      }),
    ),
  },
  {
    ...{ ...bookExample, copiesLeft: 1, subjects: ['Comedy', 'England'], languageText: 'English' },
    authors: [{ name: 'Jane Austen', slug: 'jane-austen' }],
    seriesSlug: 'the-works-of-jane-austen',
    coverColour: '#1c3a5e',
  },
);
export type BookInStock = Static<typeof BookInStock>;

export const BooksBeside = Part.Named('BooksBeside', {
  byAuthor: Type.Array(ListedBook, { description: 'By the same first author, the newest first.' }),
  beside: Type.Array(ListedBook, {
    description:
      'Others, the best first: those with the same subjects, those that at least three of its buyers have bought, and its ' +
      'neighbours on the shelf.',
  }),
});
export type BooksBeside = Static<typeof BooksBeside>;

export const BookParams = Type.Object({ id: Part.Id('The book’s `_id`.') });

const MaybeSlug = (description: string) => Type.Optional(Type.String({ pattern: slugPattern, description }));

export const BooksQuery = Type.Object({
  q: Part.MaybeWords(
    maxQueryLength,
    `Words that must all be in ${searchedInWords}, in any script; case and accents are ignored. A word of ` +
      'three letters or more may be a part of one. When they find nothing, similar words are searched for, or the words ' +
      'that the nearest book has, and the header `Corrected-Query` names them; when those find nothing either, ' +
      '`Similar-Words` has words that each find books. When they find few books, `Also-Found` has similar queries that ' +
      'find more, with the number of books: `dostoyevsky;6, moby%20dick;200+`. The words are percent-encoded.',
  ),
  spelling: Part.Choice(
    ['corrected', 'as-typed'],
    'With `as-typed`, the header names the similar words, and no book is listed for them.',
  ),
  sort: Type.Optional(
    Type.Enum([...sortOrders], {
      description:
        'By default `best` with `q`, and `newest` without it. `title` leaves out an article at the start, `author` goes by the ' +
        'surname of the first one.',
    }),
  ),
  subject: Type.Optional(
    Term({ maxLength: 100, description: 'Only books of this subject, whatever its case and accents.' }),
  ),
  author: MaybeSlug(
    'Only books of this author: the slug of `GET /book/{id}`. The header `List-Name` has the name, percent-encoded.',
  ),
  series: MaybeSlug(
    'Only books of this series, likewise. Without `sort` they come by their numbers, up to 200 in one page.',
  ),
  minPrice: Type.Optional(AmountText('The lowest price')),
  maxPrice: Type.Optional(AmountText('The highest price')),
  limit: Part.PageLimit(),
  cursor: Part.LongCursor(2000),
});
export type BooksQuery = Static<typeof BooksQuery>;

const givenSchema = (field: BookField) => {
  const { kind, isOptional, maxLength } = field;
  if (kind === 'price') return GivenPrice();
  if (kind === 'image') return BookImage(maxLength);
  if (isNumber(kind)) return WholeNumber(kind, describeField(field));
  return isOptional ? OptionalText(kind, { maxLength, description: describeField(field) }) : Line(maxLength);
};

export const NewBook = Part.Named(
  'NewBook',
  byField<{ [Name in BookFieldName]: Name extends OptionalFieldName ? TOptional<Given<Name>> : Given<Name> }>(
    bookFields,
    (field) => (field.isOptional ? Type.Optional(givenSchema(field)) : givenSchema(field)),
  ),
  byField<object>(bookFields, ({ send, example }) => send(example)),
);
export type NewBook = Static<typeof NewBook>;

export const BookChanges = Part.Named(
  'BookChanges',
  {
    ...byField<{ [Name in BookFieldName]: TOptional<Given<Name>> }>(bookFields, (field) =>
      Type.Optional(givenSchema(field)),
    ),
    copiesWas: Type.Optional(
      WholeNumber(
        'count',
        'The number that `copies` is based on: when there is another one, nothing is changed.',
      ),
    ),
  },
  { price: { value: 9.99 } },
);
export type BookChanges = Static<typeof BookChanges>;

export const DeletedBook = Part.Named(
  'DeletedBook',
  { _id: Part.Text('The book’s id.'), deleted: Type.Literal(true) },
  { _id: bookId, deleted: true },
);
