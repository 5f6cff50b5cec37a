import { type Static, Type } from 'typebox';
import { ListedBook, listedExample } from './book.ts';
import { maxOnFrontTable } from './front-limits.ts';

/** A row has so many books, or none. */
export const minInRow = 6;

const Row = (description: string) => Type.Array(ListedBook, { description });

/** The response of `GET /front`: what the home screen shows above its list of books. */
export const Front = Type.Object(
  {
    table: Type.Object(
      {
        heading: Type.String({ description: 'The owner’s, or one of the store’s own.' }),
        words: Type.String({ description: 'A sentence or two by the owner; empty without.' }),
        books: Type.Array(ListedBook, {
          maxItems: maxOnFrontTable,
          description: 'Those that the owner has chosen, first chosen first; if none is, new ones.',
        }),
      },
      { description: 'The front table.' },
    ),
    newThisWeek: Row('The newest books of the last seven days, or none when they are fewer than six.'),
    mostBought: Row(
      'The books that were bought most in the last 30 days, or none when they are fewer than six.',
    ),
    bookCount: Type.Integer({ minimum: 0, description: 'How many books are for sale.' }),
  },
  {
    title: 'Front',
    examples: [
      {
        table: {
          heading: 'Books that begin at sea',
          words: 'Chosen by the bookseller.',
          books: [listedExample],
        },
        newThisWeek: [],
        mostBought: [],
        bookCount: 8056,
      },
    ],
  },
);
export type Front = Static<typeof Front>;
