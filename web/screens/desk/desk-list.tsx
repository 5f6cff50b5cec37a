import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { DeskListQuery } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { useRestoredPlace } from '../../components/restored-place.ts';
import { TryAgain } from '../../components/try-again.tsx';
import styles from './desk-list.module.css';
import { wrongDay } from './filters.tsx';

/** The items of a list that have arrived, and whether they are those of the filters before. */
export const useDeskList = <Item,>(query: DeskListQuery<Item>) => {
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isOutdated } = list;
  const items = useMemo(() => data?.pages.flatMap((page) => page.body), [data]);
  const listId = JSON.stringify(data?.pages[0]?.filters);
  const isRestoring = useRestoredPlace({
    listId: data && listId,
    list,
    itemCount: isOutdated ? undefined : items?.length,
  });
  return { list, items, isOutdated, isRestoring, listId };
};

type DeskListProps<Item> = {
  found: ReturnType<typeof useDeskList<Item>>;
  /** What to say when the list cannot be fetched. */
  problem: string;
  /** What to say in place of a list without items. */
  whenEmpty: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
};

/** A list in each of its states: it is on its way, cannot be fetched, has no items, or is there. */
export const DeskList = <Item,>({ found, problem, whenEmpty, children }: DeskListProps<Item>) => {
  const { list, items, isOutdated, isRestoring } = found;
  // The filters tell it.
  if (wrongDay(list.error)) return null;
  if (list.isError && (!items || isOutdated))
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  if (!items || isRestoring) return <Loading />;
  if (items.length === 0 && list.hasNextPage) {
    return (
      <Notice role="status">
        <p>Nothing found so far.</p>
        <Button isBusy={list.isFetching} onClick={() => void list.fetchNextPage()}>
          Search further
        </Button>
      </Notice>
    );
  }
  if (items.length === 0) return <Notice role="status">{whenEmpty}</Notice>;
  return (
    <div className={styles.list} aria-busy={isOutdated}>
      {children(items)}
      <LoadMore list={list} />
    </div>
  );
};
