import { Link } from 'wouter';
import { type BookSearch, type FoundBooks, forgivenIn } from '../api/catalogue.ts';
import { ButtonLink } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { searchOf, withQuery } from './book-search.ts';

type NothingFoundProps = {
  /** The empty page. */
  page: FoundBooks;
  hrefOf: (search: BookSearch) => string;
};

/** Shown in place of a list without matches: it offers other words that find something. */
export const NothingFound = ({ page, hrefOf }: NothingFoundProps) => {
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
