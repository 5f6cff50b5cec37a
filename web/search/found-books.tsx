import { type ComponentProps, Fragment } from 'react';
import { Link } from 'wouter';
import type { Book } from '../../contract/book.ts';
import { counted } from '../../contract/counted.ts';
import { forgivenIn, type FoundBooks as Page } from '../api/catalogue.ts';
import { ButtonLink } from '../components/button.tsx';
import { Listed } from '../components/fetched.tsx';
import { Notice } from '../components/notice.tsx';
import { isNarrowed, searchOf, useBookSearch, withQuery } from './book-search.ts';

/** The list of a search. `whenEmpty` is shown for an empty catalogue; a search without matches offers other searches. */
export const FoundBooks = ({ whenEmpty, ...list }: ComponentProps<typeof Listed<Book>>) => {
  const [page] = list.found.pages;
  const nothing = page && isNarrowed(searchOf(page)) && <NothingFound page={page} />;
  return <Listed {...list} whenEmpty={nothing || whenEmpty} />;
};

/** Shown in place of a list without matches: it offers other words that find something. */
const NothingFound = ({ page }: { page: Page }) => {
  const { hrefOf } = useBookSearch();
  const search = searchOf(page);
  const { correctedQuery, similarWords } = forgivenIn(page.headers);
  const linkTo = (words: string) => (
    <Link href={hrefOf(withQuery(search, words))}>
      <em dir="auto">{words}</em>
    </Link>
  );
  return (
    <Notice role="status">
      {search.q ? (
        <p>
          No books match “<bdi dir="auto">{search.q}</bdi>”.
        </p>
      ) : (
        <p>No books match what you chose.</p>
      )}
      {search.isAsTyped && correctedQuery !== undefined && <p>Did you mean {linkTo(correctedQuery)}?</p>}
      {similarWords.length > 0 && (
        <p>
          These words find books:{' '}
          {similarWords.map((word, index) => (
            <span key={word}>
              {index > 0 && ', '}
              {linkTo(word)}
            </span>
          ))}
        </p>
      )}
      <ButtonLink href={hrefOf({ ...withQuery(search, ''), filters: {} })}>Show all books</ButtonLink>
    </Notice>
  );
};

type SearchSummaryProps = { pages: readonly Page[] };

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
