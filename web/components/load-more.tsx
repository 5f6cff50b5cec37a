import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useIsPrinting } from '../list/blocks.ts';
import { observeNear } from '../memory/platform.ts';
import { TryAgain } from './try-again.tsx';

/** The next page is fetched when the end of the list is this close to the viewport. */
const preloadMargin = '4000px';

/** The end of a list: fetches the next page when the visitor scrolls near it. After an error it offers to try again. */
export const LoadMore = ({ list }: { list: UseInfiniteQueryResult }) => {
  const { hasNextPage, isFetching, isFetchNextPageError, error, fetchNextPage } = list;
  const end = useRef<HTMLDivElement>(null);
  const isPrinting = useIsPrinting();
  // On paper, the end of the list would always be in view.
  const isWanted = !isFetching && !isPrinting;
  // The observer starts anew after each fetch, even a cancelled one: it reports an end that stays near only once.
  useEffect(() => {
    if (!end.current || !isWanted) return;
    return observeNear(end.current, preloadMargin, (isNear) => isNear && void fetchNextPage());
  }, [isWanted, fetchNextPage]);
  if (isFetchNextPageError && !isFetching) {
    const problem = 'The rest of the list could not be fetched.';
    return <TryAgain problem={problem} error={error} onTryAgain={fetchNextPage} />;
  }
  return hasNextPage && <div ref={end} className="list-end" aria-hidden="true" />;
};
