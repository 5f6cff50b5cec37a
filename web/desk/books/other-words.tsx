import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { type Filters, withFilters } from '../../api/calls.ts';
import { forgivenIn } from '../../api/catalogue.ts';
import { inPlace } from '../../list/places.ts';
import { FoundNote } from '../desk-list.tsx';

type PageProps = {
  /** The first one of the list. */
  page: { filters: Filters; headers: Headers };
};

/** One line above the books: for which words they were found, if not for those that were typed; and words that find more. */
export const OtherWords = ({ page: { filters, headers } }: PageProps) => {
  const { correctedQuery, alsoFound } = forgivenIn(headers);
  if (correctedQuery === undefined && alsoFound.length === 0) return null;
  return (
    <FoundNote>
      {correctedQuery !== undefined && (
        <>
          Results for <em dir="auto">{correctedQuery}</em>: nothing matches “<bdi>{filters['q']}</bdi>”.{' '}
        </>
      )}
      {alsoFound.length > 0 && <>Also: {linksTo(alsoFound, filters)}</>}
    </FoundNote>
  );
};

/** In place of the books, when none matches. */
export const NoBookMatches = ({ page: { filters, headers } }: PageProps) => {
  const { similarWords } = forgivenIn(headers);
  const words = similarWords.map((q) => ({ q }));
  return <>No book matches.{words.length > 0 && <> These words find books: {linksTo(words, filters)}</>}</>;
};

/** @param words each with the number of its books, where that is known. */
const linksTo = (words: readonly { q: string; books?: string }[], filters: Filters): ReactNode =>
  words.map(({ q, books }, index) => (
    <Fragment key={q}>
      {index > 0 && ', '}
      <Link href={withFilters(booksAddress, { ...filters, q })} replace state={inPlace} dir="auto">
        {q}
      </Link>
      {books !== undefined && ` (${books})`}
    </Fragment>
  ));

const booksAddress = deskViewAddress('books');
