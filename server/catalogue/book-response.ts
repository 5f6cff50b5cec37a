import type { BookInStock } from '../../contract/book.ts';
import { subjectsOf } from '../../contract/subjects.ts';
import { isMatch } from '../http/etags.ts';
import type { TextResponse } from '../http/response-cache.ts';
import { slugOf } from '../search/search-text.ts';
import { authorLinks } from './authors.ts';
import { type BookVersion, presentBook } from './books.ts';
import { manyCopies } from './copies.ts';

/** @returns the response of `GET /book/{id}`. Each edit changes its ETag, also an edit of keywords, which are not in the response. */
export const bookResponse = (book: BookVersion): TextResponse & { version: number } => ({
  text: JSON.stringify({ ...presentBook(book), ...stockOf(book), ...factsOf(book) } satisfies BookInStock),
  version: book.version,
});

export const stockOf = ({ copiesLeft }: BookVersion): Pick<BookInStock, 'soldOut' | 'copiesLeft'> => {
  if (copiesLeft === 0) return { soldOut: true };
  return copiesLeft === null || copiesLeft >= manyCopies ? {} : { copiesLeft };
};

const languages = new Intl.DisplayNames('en', { type: 'language' });

const factsOf = ({ keywords, author, language, series, coverColour }: BookVersion): Partial<BookInStock> => {
  const subjects = subjectsOf(keywords);
  const seriesSlug = slugOf(series ?? '');
  return {
    ...(subjects.length > 0 && { subjects }),
    ...(language !== null && { languageText: languages.of(language) ?? language }),
    authors: authorLinks(author),
    ...(seriesSlug && { seriesSlug }),
    ...(coverColour !== null && { coverColour }),
  };
};

/**
 * @returns whether an `If-Match` names this version of a book. The number of copies and the colour of the image may differ: their changes
 * are no edits.
 */
export const isSameVersion = (ifMatch: string, book: BookVersion): boolean =>
  Array.from({ length: manyCopies + 1 }, (_, copiesLeft) => ({ ...book, copiesLeft })).some(
    (then) =>
      isMatch(ifMatch, bookResponse(then)) || isMatch(ifMatch, bookResponse({ ...then, coverColour: null })),
  );
