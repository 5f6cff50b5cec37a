import { useQueries, useQuery } from '@tanstack/react-query';
import type { Book } from '../../contract/book.ts';
import { paths } from '../../contract/paths.ts';
import { callApi } from '../api/client.ts';
import { CoverRow } from '../components/cover-row/cover-row.tsx';

const shownBooks = { nearest: 3, newest: 6 };

const booksQuery = (query: Record<string, string>) => ({
  queryKey: ['instead', query],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await callApi<Book[]>(`${paths.books}?${new URLSearchParams(query)}`, { signal })).body,
  retry: false,
});

/** In place of a list in which nothing was found: the books that are nearest to the words, and the newest ones. */
export const Instead = ({ similarWords }: { similarWords: readonly string[] }) => {
  const found = useQueries({
    queries: similarWords
      .slice(0, shownBooks.nearest)
      .map((q) => booksQuery({ q, limit: String(shownBooks.nearest) })),
  });
  const { data: newest = [] } = useQuery(booksQuery({ limit: String(shownBooks.newest) }));
  // What comes later above the newest would move them.
  const isComplete = found.every(({ isPending }) => !isPending);
  // The first of each word, then the second of each.
  const inTurn = [0, 1, 2].flatMap((place) => found.flatMap(({ data }) => data?.[place] ?? []));
  const nearest = [...new Map(inTurn.map((book) => [book._id, book])).values()].slice(0, shownBooks.nearest);
  return (
    <>
      {nearest.length > 0 && <CoverRow id="nearest" heading="Nearest to it" books={nearest} />}
      {isComplete && newest.length > 0 && <CoverRow id="newest" heading="Newest" books={newest} />}
    </>
  );
};
