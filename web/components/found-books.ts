import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import type { FoundBooksQuery } from '../api/queries.ts';
import { restorePlace } from '../memory/places.ts';

/**
 * The list that a search finds.
 * @returns `list`, the query; `pages` and `books`, those that are shown; and `isOutdated`, whether they are those of
 * the search before, since the response to the current one has not arrived.
 */
export const useFoundBooks = (query: FoundBooksQuery) => {
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const pages = list.data?.pages ?? [];
  const shown = pages[0]?.search;
  useLayoutEffect(() => {
    if (shown) restorePlace();
  }, [shown]);
  return { list, pages, books: pages.flatMap((page) => page.body), isOutdated: list.isPlaceholderData };
};
