import { useEffect, useRef } from 'react';
import styles from './load-more.module.css';
import { TryAgain } from './try-again.tsx';

/** How far below the screen's edge the end of the list may come before the next page is asked for. */
const reach = '1200px';

type LoadMoreProps = {
  /** An infinite query, of which this is the end. */
  list: {
    data: { pages: readonly unknown[] } | undefined;
    hasNextPage: boolean;
    isFetching: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
};

/** The end of a list that goes on: fetches the next page when it comes near. */
export const LoadMore = ({ list }: LoadMoreProps) => {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  if (isFetchNextPageError && !isFetching) {
    return <TryAgain problem="The rest of the list could not be fetched." onTryAgain={fetchNextPage} />;
  }
  if (!hasNextPage) return null;
  return (
    <div className={styles.end} aria-hidden="true">
      {/* An end of its own for every page: one that stays in reach would not be noticed a second time. */}
      {!isFetching && <End key={list.data?.pages.length} onNear={fetchNextPage} />}
    </div>
  );
};

const End = ({ onNear }: { onNear: () => Promise<unknown> }) => {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void onNear();
      },
      { rootMargin: reach },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onNear]);
  return <div ref={end} className={styles.line} />;
};
