import { type Static, Type } from 'typebox';
import { ListedBook } from '../book.ts';
import { OptionalText } from '../field-formats.ts';
import { maxFrontWords } from '../front-limits.ts';

const heading = OptionalText('line', { maxLength: maxFrontWords.heading, description: 'Its heading.' });
const words = OptionalText('line', {
  maxLength: maxFrontWords.words,
  description: 'A sentence or two below the heading.',
});

/** The front table as the owner has made it: an empty text is none, and without books the shop shows new ones. */
export const FrontTable = Type.Object(
  { heading: Type.String(), words: Type.String(), books: Type.Array(ListedBook) },
  { title: 'FrontTable' },
);
export type FrontTable = Static<typeof FrontTable>;

/** The body of `PATCH /desk/api/front-table`: what changes. */
export const FrontWords = Type.Object(
  { heading: Type.Optional(heading), words: Type.Optional(words) },
  { title: 'FrontWords' },
);
export type FrontWords = Static<typeof FrontWords>;

/** The body of `POST /desk/api/books/{id}/front-table`. */
export const FrontTableChoice = Type.Object(
  { isOn: Type.Boolean({ description: 'Whether the book is on the front table from now on.' }) },
  { title: 'FrontTableChoice' },
);
