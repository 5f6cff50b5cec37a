import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Book } from '../../contract/book.ts';
import { paths } from '../../contract/paths.ts';
import { type BookSearch, type FoundBooks, forgivenIn } from '../api/catalogue.ts';
import { callApi } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { CoverRow } from '../components/cover-row/cover-row.tsx';
import { Notice } from '../components/notice.tsx';
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
      {hasOthers && <Instead similarWords={similarWords} />}
    </>
  );
};

const shownBooks = { nearest: 3, newest: 6 };

const insteadQuery = (similarWords: readonly string[]) =>
  queryOptions({
    queryKey: ['instead', similarWords],
    queryFn: async ({ signal }) => {
      const find = async (query: Record<string, string>) =>
        (await callApi<Book[]>(`${paths.books}?${new URLSearchParams(query)}`, { signal })).body;
      const [newest = [], ...found] = await Promise.all([
        find({ limit: String(shownBooks.newest) }),
        ...similarWords
          .slice(0, shownBooks.nearest)
          .map((q) => find({ q, limit: String(shownBooks.nearest) })),
      ]);
      // The first of each word, then the second of each.
      const inTurn = [0, 1, 2].flatMap((place) => found.flatMap((books) => books[place] ?? []));
      const nearest = [...new Map(inTurn.map((book) => [book._id, book])).values()];
      return { nearest: nearest.slice(0, shownBooks.nearest), newest };
    },
    retry: false,
  });

/** The books that are nearest to the words, and the newest ones. */
const Instead = ({ similarWords }: { similarWords: readonly string[] }) => {
  const { nearest = [], newest = [] } = useQuery(insteadQuery(similarWords)).data ?? {};
  return (
    <>
      {nearest.length > 0 && <CoverRow id="nearest" heading="Nearest to it" books={nearest} />}
      {newest.length > 0 && <CoverRow id="newest" heading="Newest" books={newest} />}
    </>
  );
};
