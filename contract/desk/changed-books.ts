import { type Static, Type } from 'typebox';
import { fieldsByName } from '../book-fields.ts';
import { Amount, AmountText, Line, Term } from '../field-formats.ts';
import { maxPageSize } from '../next-page.ts';

const Price = Type.Object({ value: Type.Union([AmountText(), Amount()]) });
const Subject = Line(fieldsByName.keywords.maxLength);
const Id = Term({ maxLength: 64, description: 'The book’s `_id`.' });
const Version = Type.Integer({
  minimum: 0,
  description: 'Of the book that the change is based on: another version of it is left alone.',
});

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
    price: Type.Optional(Price),
    addSubject: Type.Optional(Subject),
    removeSubject: Type.Optional(Subject),
    isDeleted: Type.Optional(
      Type.Boolean({ description: 'True takes the books out of sale, false puts them back.' }),
    ),
  },
  { title: 'ManyBooksChange', minProperties: 1, maxProperties: 1 },
);
export type ManyBooksChange = Static<typeof ManyBooksChange>;

/** The body of `POST /desk/api/books/change`. */
export const ChangeBooks = Type.Object(
  {
    books: Type.Array(Type.Object({ _id: Id, version: Version }), { minItems: 1, maxItems: maxPageSize }),
    change: ManyBooksChange,
    dryRun: Type.Optional(
      Type.Boolean({ default: false, description: 'Only tell what the change would do.' }),
    ),
  },
  { title: 'ChangeBooks' },
);
export type ChangeBooks = Static<typeof ChangeBooks>;

/** The values that a change of many books gives or takes. */
const values = {
  price: Type.Optional(Type.Number({ description: 'Two decimals.' })),
  keywords: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  isDeleted: Type.Optional(Type.Boolean()),
};
const Values = Type.Object(values);

/** The result of a change of many books. */
export const ChangedBooks = Type.Object(
  {
    changed: Type.Array(
      Type.Object({
        _id: Type.String(),
        title: Type.String(),
        from: Values,
        to: Values,
        version: Type.Integer({ description: 'The version that the book has now.' }),
      }),
    ),
    skipped: Type.Array(
      Type.Object({
        _id: Type.String(),
        title: Type.String({ description: 'Empty for a book that there is not.' }),
        reason: Type.Enum(['gone', 'changed', 'same', 'invalid'], {
          description:
            '`gone`: there is no such book, or it was deleted. `changed`: another version is there. `same`: it has the values ' +
            'already. `invalid`: it cannot have them.',
        }),
      }),
    ),
  },
  { title: 'ChangedBooks' },
);
export type ChangedBooks = Static<typeof ChangedBooks>;

/** The body of `POST /desk/api/books/undo`: the values that each book had, and its version since. */
export const UndoBooks = Type.Object(
  {
    books: Type.Array(
      Type.Object({
        _id: Id,
        version: Version,
        price: Type.Optional(Amount()),
        keywords: Type.Optional(
          Type.Union([
            Type.String({
              maxLength: fieldsByName.keywords.maxLength,
              format: 'line',
              description: 'Format line, as a book has them.',
            }),
            Type.Null(),
          ]),
        ),
        isDeleted: values.isDeleted,
      }),
      { minItems: 1, maxItems: maxPageSize },
    ),
  },
  { title: 'UndoBooks' },
);
export type UndoBooks = Static<typeof UndoBooks>;
