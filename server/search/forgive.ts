/** Forgiveness, for words that as typed find little: similar words, joined ones, or the right ones among wrong ones. */

import {
  alsoFoundHeader,
  correctedQueryHeader,
  type FoundQuery,
  similarWordsHeader,
  writeAlsoFound,
} from '../../contract/book-search.ts';
import { findWithoutWrongWords, type ReadBooks } from './missing-words.ts';
import type { SearchQuery } from './search-text.ts';
import { type Corrections, findCorrections } from './spelling.ts';
import type { Vocabulary } from './words.ts';

/** With fewer books than this, similar words are looked for. */
const fewBooks = 4;
const maxAlsoFound = 2;

type Page = { books: readonly unknown[]; nextCursor: string | undefined };

type Forgiveness = {
  /** Words that find something, when those as typed find nothing. They were searched for instead, unless `spelling` is `as-typed`. */
  correctedTo?: string;
  alsoFound?: readonly FoundQuery[];
  /** Words of the catalogue of which each finds something, when nothing is found. */
  similarWords?: readonly string[];
};
export type Forgiven<Of extends Page> = Of & Forgiveness;

export const forgivenHeaders = ({
  correctedTo,
  alsoFound,
  similarWords,
}: Forgiveness): Record<string, string> => ({
  ...(correctedTo !== undefined && { [correctedQueryHeader]: encodeURIComponent(correctedTo) }),
  ...(alsoFound && { [alsoFoundHeader]: writeAlsoFound(alsoFound) }),
  ...(similarWords?.length && { [similarWordsHeader]: encodeURIComponent(similarWords.join(' ')) }),
});

type Search<Of extends Page> = {
  query: SearchQuery;
  vocabulary: Vocabulary;
  spelling?: 'corrected' | 'as-typed' | undefined;
  /** @returns the first page of another query; `isWhole`: as long as a page may be. */
  list(q: string, isWhole?: boolean): Promise<Of>;
  read: ReadBooks;
};

const isFew = ({ books, nextCursor }: Page): boolean => books.length < fewBooks && nextCursor === undefined;

export async function forgive<Of extends Page>(page: Of, search: Search<Of>): Promise<Forgiven<Of>> {
  if (!isFew(page)) return page;
  const corrections = await findCorrections(search.vocabulary, search.query);
  if (page.books.length > 0) return await withAlsoFound(page, corrections.queries, search);
  for await (const [correctedTo, others] of meaningsOf(search, corrections)) {
    const found = await search.list(correctedTo);
    if (found.books.length === 0) continue;
    const { alsoFound } = await withAlsoFound(found, others, search);
    const listed = search.spelling === 'as-typed' ? page : found;
    return { ...listed, correctedTo, ...(alsoFound && { alsoFound }) };
  }
  const similarWords = [...corrections.similar.values()].flatMap((text) => text.split(' '));
  return { ...page, similarWords: [...new Set(similarWords)] };
}

async function* meaningsOf(
  { vocabulary, query, read }: Search<Page>,
  { queries, similar }: Corrections,
): AsyncGenerator<[meaning: string, others: string[]]> {
  for (const [index, meaning] of queries.entries()) yield [meaning, queries.slice(index + 1)];
  const withoutWrongWords = await findWithoutWrongWords(vocabulary, query, similar, read);
  if (withoutWrongWords !== undefined) yield [withoutWrongWords, []];
}

async function withAlsoFound<Of extends Page>(
  page: Of,
  queries: readonly string[],
  { list }: Search<Of>,
): Promise<Forgiven<Of>> {
  if (!isFew(page)) return page;
  const alsoFound: FoundQuery[] = [];
  for (const q of queries.slice(0, maxAlsoFound)) {
    const { books, nextCursor } = await list(q, true);
    if (books.length > page.books.length)
      alsoFound.push({ q, books: books.length, hasMore: nextCursor !== undefined });
  }
  return alsoFound.length > 0 ? { ...page, alsoFound } : page;
}
