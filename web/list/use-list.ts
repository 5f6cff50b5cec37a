import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import type { ListQuery } from '../api/calls.ts';
import { placeInList, restorePlace } from './places.ts';

/**
 * The list that a search or filters find. @param isHeld true while content above the list is on its way: it would push the list down.
 * @returns `list`, the query; `listId`, which differs for each list; `pages` and `items` on the screen; `isOutdated`, whether they belong
 * to the previous search, because the current response has not arrived; and `isRestoring`, whether more pages are needed to show the
 * visitor's place.
 */
export const useList = <Item>(query: ListQuery<Item>, isHeld = false) => {
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isOutdated } = list;
  const items = useMemo(() => data?.pages.flatMap((page): Item[] => page.body), [data]);
  // The address of the first page contains the search or the filters.
  const listId = String(data?.pageParams[0]);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const lastIndex = placeInList()?.lastIndex ?? -1;
  const isShort =
    !isOutdated && items !== undefined && items.length <= lastIndex && hasNextPage && !isFetchNextPageError;
  const isRestoring = isShort || isHeld;
  // A place far down needs later pages.
  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another place.
  useLayoutEffect(() => {
    if (data && !isRestoring) restorePlace();
  }, [data && listId, isRestoring]);
  return { list, listId, pages: data?.pages ?? [], items, isOutdated, isRestoring };
};

export type FoundList<Item> = ReturnType<typeof useList<Item>>;
