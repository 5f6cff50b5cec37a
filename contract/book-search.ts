/** Headers and limits of a search. This file has no schemas, because the browser loads it. */

export const maxQueryLength = 200;
/** A slug is the name of an author or a series in an address. */
export const maxSlugLength = 200;
export const slugPattern = `^[a-z0-9-]{1,${maxSlugLength}}$`;

/** A header of the list when the words as typed find nothing: the words that find something, percent-encoded. */
export const correctedQueryHeader = 'corrected-query';
/** A header of an empty list: words of the catalogue that are similar to those of the query, percent-encoded, with spaces. */
export const similarWordsHeader = 'similar-words';
/** A header of a list with few books: similar queries that find more, as in `dostoyevsky;6, moby%20dick;200+`. */
export const alsoFoundHeader = 'also-found';

/** A header of the list of an author or a series: the name, percent-encoded. */
export const listNameHeader = 'list-name';

/** The headers of a list that pages of other origins may read. */
export const searchHeaders = [correctedQueryHeader, similarWordsHeader, alsoFoundHeader, listNameHeader];

export type FoundQuery = { q: string; books: number; hasMore: boolean };

export const writeAlsoFound = (queries: readonly FoundQuery[]): string =>
  queries.map(({ q, books, hasMore }) => `${encodeURIComponent(q)};${books}${hasMore ? '+' : ''}`).join(', ');

export const readAlsoFound = (header: string | null): { q: string; books: string }[] =>
  header
    ? header.split(', ').map((item) => {
        const [q = '', books = ''] = item.split(';');
        return { q: decodeURIComponent(q), books };
      })
    : [];
