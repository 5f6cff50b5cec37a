import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { type BookSearch, type FoundBooks, forgivenIn } from '../api/catalogue.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { optionalCode } from '../components/optional-code.ts';
import { searchOf, withQuery } from './book-search.ts';

type NothingFoundProps = {
  /** The page without books. */
  page: FoundBooks;
  hrefOf: (search: BookSearch) => string;
  onShowAll: () => void;
  /** Books are offered instead. */
  hasOthers: boolean;
};

/** In place of a list: no book matches the search. It offers other words that find something. */
export const NothingFound = ({ page, hrefOf, onShowAll, hasOthers }: NothingFoundProps) => {
  const [loaded, setLoaded] = useState<typeof import('./instead.tsx')>();
  useEffect(() => {
    if (hasOthers) void optionalCode(() => import('./instead.tsx')).then(setLoaded);
  }, [hasOthers]);
  const search = searchOf(page);
  const { correctedQuery, similarWords } = forgivenIn(page.headers);
  const linkTo = (words: string) => (
    <Link href={hrefOf(withQuery(search, words))}>
      <em dir="auto">{words}</em>
    </Link>
  );
  return (
    <>
      <Notice role="status">
        <p>
          No books match
          {search.q ? (
            <>
              {' '}
              “<bdi dir="auto">{search.q}</bdi>”.
            </>
          ) : (
            ' what you chose.'
          )}
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
      {loaded && <loaded.Instead similarWords={similarWords} />}
    </>
  );
};
