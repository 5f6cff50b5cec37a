import { type Static, Type } from 'typebox';
import { ListedBook } from './book.ts';
import { maxOnFrontTable, minInRow } from './front-limits.ts';
import * as Part from './schema-parts.ts';

/** The response of `GET /front`: what the home screen shows above its list of books. */
export const Front = Part.Named('Front', {
  table: Type.Object(
    {
      heading: Part.Text('The owner’s, or one of the store’s own.'),
      words: Part.Text('A sentence or two by the owner; empty without.'),
      books: Type.Array(ListedBook, {
        maxItems: maxOnFrontTable,
        description: 'Those that the owner has chosen, first chosen first; if none is, new ones.',
      }),
    },
    { description: 'The front table.' },
  ),
  rows: Type.Array(
    Type.Object({
      heading: Part.Text('A subject, “New this week” or “Most bought this month”.'),
      subject: Type.Optional(Part.Text('The subject of which these are the newest books.')),
      count: Type.Optional(
        Type.Integer({ minimum: minInRow, description: 'How many books it has, if at most 200.' }),
      ),
      books: Type.Array(ListedBook, { minItems: minInRow }),
    }),
    {
      description:
        'Three subjects at most, or where there are none the newest books of the last seven days; and then the books that were ' +
        'bought most in the last 30 days. No book stands twice on the table and in the rows.',
    },
  ),
  bookCount: Type.Integer({ minimum: 0, description: 'How many books are for sale.' }),
  prices: Type.Optional(
    Type.Object(
      { lowest: Type.Number({ minimum: 0 }), highest: Type.Number({ minimum: 0 }) },
      { description: 'The range of prices of the books for sale; missing without a book.' },
    ),
  ),
  subjects: Type.Array(Type.String(), {
    description:
      'The subjects that most of the newest books have, each at least two. `GET /books?subject=` lists the books of one.',
  }),
});
export type Front = Static<typeof Front>;
