import { type Static, Type } from 'typebox';
import { fieldsByName } from '../book-fields.ts';
import { Amount, GivenPrice, Line } from '../field-formats.ts';
import * as Part from '../schema-parts.ts';
import { maxAtOnce } from './limits.ts';

const Subject = Line(fieldsByName.keywords.maxLength);

/** A change of many books: one of its properties. */
export const ManyBooksChange = Type.Object(
  {
    pricePercent: Type.Optional(
      Type.Number({
        minimum: -100,
        maximum: 1000,
        description: 'Adds so many per cent to each price, half a cent up; -10 takes ten off.',
      }),
    ),
    price: Type.Optional(GivenPrice()),
    addSubject: Type.Optional(Subject),
    removeSubject: Type.Optional(Subject),
    isDeleted: Type.Optional(Part.Flag('True takes the books out of sale, false puts them back.')),
  },
  { title: 'ManyBooksChange', minProperties: 1, maxProperties: 1 },
);
export type ManyBooksChange = Static<typeof ManyBooksChange>;

const versioned = {
  _id: Part.Id('The book’s `_id`.'),
  version: Type.Integer({
    minimum: 0,
    description: 'The version that the change is based on: another one is left alone.',
  }),
};

export const ChangeBooks = Part.Named('ChangeBooks', {
  books: Type.Array(Type.Object(versioned), { minItems: 1, maxItems: maxAtOnce }),
  change: ManyBooksChange,
  dryRun: Type.Optional(Type.Boolean({ default: false, description: 'Only tell what the change would do.' })),
});
export type ChangeBooks = Static<typeof ChangeBooks>;

const Values = Type.Object({
  price: Type.Optional(Type.Number({ description: 'Two decimals.' })),
  keywords: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  isDeleted: Type.Optional(Type.Boolean()),
});

export const ChangedBooks = Part.Named('ChangedBooks', {
  changed: Type.Array(
    Type.Object({
      _id: Type.String(),
      title: Type.String(),
      from: Values,
      to: Values,
      version: Part.Count('The version that the book has now.'),
    }),
  ),
  skipped: Type.Array(
    Type.Object({
      _id: Type.String(),
      title: Part.Text('Empty for a book that there is not.'),
      reason: Type.Enum(['gone', 'changed', 'same', 'invalid'], {
        description:
          '`gone`: there is no such book, or it was deleted. `changed`: another version is there. `same`: it has the values ' +
          'already. `invalid`: it cannot have them.',
      }),
    }),
  ),
});
export type ChangedBooks = Static<typeof ChangedBooks>;

const Keywords = Type.String({
  maxLength: fieldsByName.keywords.maxLength,
  format: 'line',
  description: 'Format line, as a book has them.',
});

/** The values that each book had, and its version since. */
export const UndoBooks = Part.Named('UndoBooks', {
  books: Type.Array(
    Type.Object({
      ...versioned,
      price: Type.Optional(Amount()),
      keywords: Type.Optional(Type.Union([Keywords, Type.Null()])),
      isDeleted: Type.Optional(Type.Boolean()),
    }),
    { minItems: 1, maxItems: maxAtOnce },
  ),
});
export type UndoBooks = Static<typeof UndoBooks>;
