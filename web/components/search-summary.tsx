import { Link } from 'wouter';
import type { BookSearch, FoundBooks } from '../api/queries.ts';
import styles from './search-summary.module.css';

type SearchSummaryProps = {
  /** The pages of the list that is shown. */
  pages: readonly FoundBooks[];
  hrefOf: (search: BookSearch) => string;
};

/**
 * One line above a list: how many books a search has found, and for which words. It is empty without a search, and
 * when none matches: there is a message in place of the list then.
 */
export const SearchSummary = ({ pages, hrefOf }: SearchSummaryProps) => (
  <p className={styles.summary} role="status">
    <Summary pages={pages} hrefOf={hrefOf} />
  </p>
);

const Summary = ({ pages, hrefOf }: SearchSummaryProps) => {
  const [first] = pages;
  const count = pages.reduce((sum, { body }) => sum + body.length, 0);
  if (!first?.search.q || count === 0) return null;

  const { search, correctedQuery } = first;
  const found = countOf(count, pages.at(-1)?.next === undefined);
  if (correctedQuery === undefined) {
    return (
      <>
        {found} for <em dir="auto">{search.q}</em>
      </>
    );
  }
  return (
    <>
      Results for <em dir="auto">{correctedQuery}</em>: {found}. Nothing matches “<bdi>{search.q}</bdi>”.{' '}
      <Link href={hrefOf({ ...search, isAsTyped: true })}>
        Search for <bdi>{search.q}</bdi> as typed
      </Link>
    </>
  );
};

const countOf = (count: number, isComplete: boolean): string =>
  `${isComplete ? '' : 'More than '}${count.toLocaleString('en')} ${count === 1 ? 'book' : 'books'}`;
