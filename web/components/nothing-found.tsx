import { Link } from 'wouter';
import type { BookSearch, FoundBooks } from '../api/queries.ts';
import { withQuery } from './book-search.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type NothingFoundProps = {
  /** The page without books. */
  page: FoundBooks;
  /** The place where nothing matches, such as `on the shelf`. */
  place: string;
  hrefOf: (search: BookSearch) => string;
  onShowAll: () => void;
};

/** In place of a list: no book matches the search. It offers other words that find something. */
export const NothingFound = ({ page, place, hrefOf, onShowAll }: NothingFoundProps) => {
  const { search, correctedQuery, similarWords } = page;
  const linkTo = (words: string) => (
    <Link href={hrefOf(withQuery(search, words))}>
      <em dir="auto">{words}</em>
    </Link>
  );
  return (
    <Notice role="status">
      <p>
        Nothing {place} matches “<bdi dir="auto">{search.q}</bdi>”.
      </p>
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
      <Button onClick={onShowAll}>Show all books</Button>
    </Notice>
  );
};
