import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import type { ListQuery } from '../api/calls.ts';
import { placeInList, restorePlace } from './places.ts';

/**
 * The list that a search or filters find.
 * @param isHeld what is above the list has not arrived: it would push the list away.
 * @returns `list`, the query; `listId`, another one for another list; `pages` and `items`, those that are shown; `isOutdated`, whether
 * they are those of the search before, since the response to the current one has not arrived; and `isRestoring`, whether more of them
 * are needed to show the visitor's place in the list.
 */
export const useList = <Item>(query: ListQuery<Item>, isHeld = false) => {
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isOutdated } = list;
  const items = useMemo(() => data?.pages.flatMap((page): Item[] => page.body), [data]);
  // The address of the first page has the search or the filters.
  const listId = String(data?.pageParams[0]);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const lastIndex = placeInList()?.lastIndex ?? -1;
  const isShort =
    !isOutdated && items !== undefined && items.length <= lastIndex && hasNextPage && !isFetchNextPageError;
  const isRestoring = isShort || isHeld;
  // A place far down is on a later page.
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
