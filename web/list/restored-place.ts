import { useEffect, useLayoutEffect } from 'react';
import { placeInList, restorePlace } from './places.ts';

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
  const lastIndex = placeInList()?.items?.lastIndex ?? -1;
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
