import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import { placeInList, restorePlace } from './places.ts';

/**
 * The list that a search or filters find.
 * @param isHeld what is above the list has not arrived: it would push the list away.
 * @returns `list`, the query; `listId`, another one for another list; `pages` and `items`, those that are shown; `isOutdated`, whether
 * they are those of the search before, since the response to the current one has not arrived; and `isRestoring`, whether more of them
 * are needed to show the visitor's place in the list.
 */
export const useList = <Item, Page, Key extends QueryKey>(
  query: UseInfiniteQueryOptions<
    Page & { body: Item[] },
    Error,
    InfiniteData<Page & { body: Item[] }>,
    Key,
    string
  >,
  isHeld = false,
) => {
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isOutdated } = list;
  const items = useMemo(() => data?.pages.flatMap((page): Item[] => page.body), [data]);
  // The address of the first page has the search or the filters.
  const listId = String(data?.pageParams[0]);
  const isRestoring = useRestoredPlace({
    listId: data && listId,
    list,
    itemCount: isOutdated ? undefined : items?.length,
    isHeld,
  });
  return { list, listId, pages: data?.pages ?? [], items, isOutdated, isRestoring };
};

type RestoredPlaceOptions = {
  /** An id of the list: another list has another one. Undefined while there is no list. */
  listId: unknown;
  /** An infinite query of TanStack Query. */
  list: {
    hasNextPage: boolean;
    isFetching: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  /** How many items have arrived; undefined when they are those of another list. */
  itemCount: number | undefined;
  /** The part of the screen above the list has not arrived. */
  isHeld?: boolean;
};

/**
 * Restores the visitor's place in a list that comes page by page: fetches as many pages as reach down to it.
 * @returns whether it is still fetching them, or the list is held. Do not show the list then.
 */
export const useRestoredPlace = ({
  listId,
  list,
  itemCount,
  isHeld = false,
}: RestoredPlaceOptions): boolean => {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const lastIndex = placeInList()?.lastIndex ?? -1;
  const isShort = itemCount !== undefined && itemCount <= lastIndex && hasNextPage && !isFetchNextPageError;
  const isRestoring = isShort || isHeld;

  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);
  useLayoutEffect(() => {
    if (listId !== undefined && !isRestoring) restorePlace();
  }, [listId, isRestoring]);
  return isRestoring;
};
