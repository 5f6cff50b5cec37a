import { Fragment } from 'react';
import { Link } from 'wouter';
import { counted } from '../../contract/counted.ts';
import { type FoundBooks, forgivenIn } from '../api/catalogue.ts';
import { isNarrowed, searchOf, useBookSearch, withQuery } from './book-search.ts';

type SearchSummaryProps = { pages: readonly FoundBooks[] };

/**
 * One line above a list: how many books a search has found, and for which other words. The line is empty without a search, and when nothing
 * matches: then a message replaces the list.
 */
export const SearchSummary = (props: SearchSummaryProps) => (
  <p className="soft status" role="status">
    <Summary {...props} />
  </p>
);

const Summary = ({ pages }: SearchSummaryProps) => {
  const { hrefOf } = useBookSearch();
  const [first] = pages;
  const count = pages.reduce((sum, { body }) => sum + body.length, 0);
  if (!first || count === 0) return null;
  const search = searchOf(first);
  if (!isNarrowed(search) && !first.filters['author'] && !first.filters['series']) return null;

  const { correctedQuery, alsoFound } = forgivenIn(first.headers);
  const found = `${pages.at(-1)?.next === undefined ? '' : 'More than '}${counted(count, 'book')}`;
  if (correctedQuery !== undefined) {
    return (
      <>
        Results for <em dir="auto">{correctedQuery}</em>: {found}. No books match “<bdi>{search.q}</bdi>”.{' '}
        <Link href={hrefOf({ ...search, isAsTyped: true })}>
          Search for <bdi>{search.q}</bdi> as typed
        </Link>
      </>
    );
  }
  return (
    <>
      {found}
      {alsoFound.map(({ q, books }, index) => (
        <Fragment key={q}>
          {index ? ', ' : '. Also: '}
          <Link href={hrefOf(withQuery(search, q))}>{q}</Link> ({books})
        </Fragment>
      ))}
    </>
  );
};
