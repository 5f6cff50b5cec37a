import { type Static, Type } from 'typebox';
import { ListedBook } from './book.ts';
import * as Part from './schema-parts.ts';

export const Suggestions = Part.Named('Suggestions', {
  authors: Type.Array(
    Type.Object({
      author: Part.Text('A name in which each word begins one of the author’s.'),
      count: Type.Integer({
        minimum: 1,
        description: 'How many books for sale are by this first author, up to 1,000.',
      }),
    }),
  ),
  books: Type.Array(ListedBook, { description: 'The first ones that `GET /books` lists.' }),
});
export type Suggestions = Static<typeof Suggestions>;
