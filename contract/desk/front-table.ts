import { type Static, Type } from 'typebox';
import { ListedBook } from '../book.ts';
import { OptionalText } from '../field-formats.ts';
import { maxFrontWords, maxOnFrontTable } from '../front-limits.ts';
import * as Part from '../schema-parts.ts';

/** The front table as the owner has set it. An empty text means none; without books, the shop shows new ones. */
export const FrontTable = Part.Named('FrontTable', {
  heading: Type.String(),
  words: Type.String(),
  books: Type.Array(ListedBook),
});
export type FrontTable = Static<typeof FrontTable>;

const Words = (maxLength: number, description: string) =>
  Type.Optional(OptionalText('line', { maxLength, description }));

export const FrontWords = Part.Named('FrontWords', {
  heading: Words(maxFrontWords.heading, 'Its heading.'),
  words: Words(maxFrontWords.words, 'A sentence or two below the heading.'),
  books: Type.Optional(
    Type.Array(Part.Id('The book’s `_id`.'), {
      maxItems: maxOnFrontTable,
      uniqueItems: true,
      description:
        'The books that stand on it, the first one first. Those that are sold out keep their place.',
    }),
  ),
});
