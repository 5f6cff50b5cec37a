import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FoundBooksQuery } from '../api/queries.ts';
import { useRestoredPlace } from './restored-place.ts';

/**
 * The list that a search finds.
 * @returns `list`, the query; `pages` and `books`, those that are shown; `isOutdated`, whether they are those of the
 * search before, since the response to the current one has not arrived; and `isRestoring`, whether more of them are
 * needed to show the visitor's place in the list.
 */
export const useFoundBooks = (query: FoundBooksQuery) => {
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isOutdated } = list;
  const books = useMemo(() => data?.pages.flatMap((page) => page.body) ?? [], [data]);
  const pages = data?.pages ?? [];
  const isRestoring = useRestoredPlace({
    listId: pages[0]?.search,
    list,
    itemCount: isOutdated ? undefined : books.length,
  });
  return { list, pages, books, isOutdated, isRestoring };
};
