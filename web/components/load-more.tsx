import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useIsPrinting } from '../list/blocks.ts';
import { observeNear } from '../memory/platform.ts';
import { TryAgain } from './try-again.tsx';

/** The next page is fetched when the end of the list is this close to the viewport. */
const preloadMargin = '4000px';

type LoadMoreProps = {
  list: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
};

/** The end of a list: fetches the next page when the visitor scrolls near it. After an error it offers to try again. */
export const LoadMore = ({ list }: LoadMoreProps) => {
  const { hasNextPage, isFetching, isFetchNextPageError, error, fetchNextPage } = list;
  // On paper the end of the list is always in view.
  const isPrinting = useIsPrinting();
  if (isFetchNextPageError && !isFetching) {
    return (
      <TryAgain
        problem="The rest of the list could not be fetched."
        error={error}
        onTryAgain={fetchNextPage}
      />
    );
  }
  if (!hasNextPage) return null;
  return <ListEnd onNear={isFetching || isPrinting ? undefined : fetchNextPage} />;
};

/** It looks anew when a fetch has ended, also one that was cancelled: an observer reports an end that stays near only once. */
const ListEnd = ({ onNear }: { onNear: (() => Promise<unknown>) | undefined }) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = box.current;
    if (!end || !onNear) return;
    return observeNear(end, preloadMargin, (isNear) => isNear && void onNear());
  }, [onNear]);
  return <div ref={box} className="list-end" aria-hidden="true" />;
};
