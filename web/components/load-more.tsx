import { useEffect, useRef } from 'react';
import { useIsPrinting } from '../list/blocks.ts';
import { observeNear } from '../memory/platform.ts';
import styles from './load-more.module.css';
import { TryAgain } from './try-again.tsx';

/** The next page is fetched when the end of the list is this close to the viewport. */
const preloadDistancePx = 4000;

type LoadMoreProps = {
  /** An infinite query of TanStack Query. */
  list: {
    data: { pages: readonly unknown[] } | undefined;
    hasNextPage: boolean;
    isFetching: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => Promise<unknown>;
  };
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
  return (
    <div className={styles.end} aria-hidden="true">
      {/* A new sentinel for each page: the observer reports one that stays near the viewport only once. */}
      {!isFetching && !isPrinting && <Sentinel key={list.data?.pages.length} onNear={fetchNextPage} />}
    </div>
  );
};

const Sentinel = ({ onNear }: { onNear: () => Promise<unknown> }) => {
  const sentinel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = sentinel.current;
    if (!end) return;
    const { look, stop } = observeNear(end, preloadDistancePx, () => {
      onNear().then(
        // A fetch that another one has cancelled brings no page.
        () => end.isConnected && look(),
        () => undefined,
      );
    });
    look();
    return stop;
  }, [onNear]);
  return <div ref={sentinel} className={styles.sentinel} />;
};
