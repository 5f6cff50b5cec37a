/** Forgiveness: if the typed words find little, it finds similar words, joins words, or drops wrong ones. */

import {
  alsoFoundHeader,
  correctedQueryHeader,
  type FoundQuery,
  similarWordsHeader,
  writeAlsoFound,
} from '../../contract/book-search.ts';
import { findWithoutWrongWords, type ReadBooks } from './missing-words.ts';
import type { SearchQuery } from './search-text.ts';
import { findCorrections } from './spelling.ts';
import type { Vocabulary } from './words.ts';

/** A search that finds fewer books than this tries similar words. */
const fewBooks = 4;
const maxAlsoFound = 2;

type Page = { books: readonly unknown[]; nextCursor: string | undefined };

type Forgiveness = {
  /** Words that find something when the typed words find nothing. The store searches for them instead, unless `spelling` is `as-typed`. */
  correctedTo?: string;
  alsoFound?: readonly FoundQuery[];
  /** Words of the catalogue that find something, when the search finds nothing. */
  similarWords?: readonly string[];
};
export type Forgiven<Of extends Page> = Of & Forgiveness;

export const forgivenHeaders = ({
  correctedTo,
  alsoFound,
  similarWords,
}: Forgiveness): Record<string, string> => ({
  ...(correctedTo !== undefined && { [correctedQueryHeader]: encodeURIComponent(correctedTo) }),
  ...(alsoFound?.length && { [alsoFoundHeader]: writeAlsoFound(alsoFound) }),
  ...(similarWords?.length && { [similarWordsHeader]: encodeURIComponent(similarWords.join(' ')) }),
});

type Search<Of extends Page> = {
  query: SearchQuery;
  vocabulary: Vocabulary;
  spelling?: 'corrected' | 'as-typed' | undefined;
  /** @returns the first page of another query; `isWhole`: whether the page is full. */
  list(q: string, isWhole?: boolean): Promise<Of>;
  read: ReadBooks;
};

const isFew = ({ books, nextCursor }: Page): boolean => books.length < fewBooks && nextCursor === undefined;

export async function forgive<Of extends Page>(
  page: Of,
  { query, vocabulary, spelling, list, read }: Search<Of>,
): Promise<Forgiven<Of>> {
  if (!isFew(page)) return page;
  const { queries, similar } = await findCorrections(vocabulary, query);
  if (page.books.length > 0) return { ...page, alsoFound: await listAlsoFound(page, queries, list) };
  const shown = (found: Of): Of => (spelling === 'as-typed' ? page : found);
  for (const [index, correctedTo] of queries.entries()) {
    const found = await list(correctedTo);
    if (found.books.length === 0) continue;
    const alsoFound = await listAlsoFound(found, queries.slice(index + 1), list);
    return { ...shown(found), correctedTo, alsoFound };
  }
  const correctedTo = await findWithoutWrongWords(vocabulary, query, similar, read);
  if (correctedTo !== undefined) {
    const found = await list(correctedTo);
    if (found.books.length > 0) return { ...shown(found), correctedTo };
  }
  const similarWords = [...similar.values()].flatMap((text) => text.split(' '));
  return { ...page, similarWords: [...new Set(similarWords)] };
}

async function listAlsoFound(
  page: Page,
  queries: readonly string[],
  list: Search<Page>['list'],
): Promise<FoundQuery[]> {
  if (!isFew(page)) return [];
  const found: FoundQuery[] = [];
  for (const q of queries.slice(0, maxAlsoFound)) {
    const { books, nextCursor } = await list(q, true);
    if (books.length > page.books.length)
      found.push({ q, books: books.length, hasMore: nextCursor !== undefined });
  }
  return found;
}
