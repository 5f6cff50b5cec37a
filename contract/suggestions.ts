import { type Static, Type } from 'typebox';
import { ListedBook, listedExample } from './book.ts';
import { maxQueryLength } from './book-search.ts';

/** The query parameters of `GET /suggest`. */
export const SuggestQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: maxQueryLength,
        description: 'What was typed so far; misspelt words are corrected.',
      }),
    ),
  },
  { examples: [{ q: 'aus' }] },
);

/** Suggestions for what a visitor types. */
export const Suggestions = Type.Object(
  {
    authors: Type.Array(
      Type.Object({
        author: Type.String({ description: 'A name in which each word begins one of the author’s.' }),
        count: Type.Integer({
          minimum: 1,
          description: 'How many books for sale are by this first author, up to 1,000.',
        }),
      }),
    ),
    books: Type.Array(ListedBook, { description: 'The first ones that `GET /books` lists.' }),
  },
  {
    title: 'Suggestions',
    examples: [{ authors: [{ author: 'Jane Austen', count: 6 }], books: [listedExample] }],
  },
);
export type Suggestions = Static<typeof Suggestions>;
