import type { ReactNode } from 'react';
import type { ListPage, ListQuery } from '../api/calls.ts';
import { forgivenIn } from '../api/catalogue.ts';
import { Button } from '../components/button.tsx';
import { LoadMore } from '../components/load-more.tsx';
import { Loading } from '../components/loading.tsx';
import { Notice } from '../components/notice.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { TryAgain } from '../components/try-again.tsx';
import { useList } from '../list/use-list.ts';
import { wrongDay } from './use-filters.ts';

/** `isAsked`: false for filters that the list is not asked with. */
export const useDeskList = <Row,>(query: ListQuery<Row>, isAsked = true) =>
  useList({ ...query, enabled: isAsked });

type DeskListProps<Row> = {
  found: ReturnType<typeof useDeskList<Row>>;
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** The text for a list that cannot be fetched. */
  problem: string;
  /** In place of a list without rows. */
  empty: ReactNode;
  /** Above the table. */
  children?: ReactNode;
};

/** The list of a view in each of its states: it is on its way, cannot be fetched, has no rows, or is there as a table. */
export const DeskList = <Row extends object>({
  found,
  problem,
  empty,
  children,
  ...table
}: DeskListProps<Row>) => {
  const { list, pages, items, isOutdated, isRestoring, listId } = found;
  // The filters tell it.
  if (wrongDay(list.error)) return null;
  if (list.isError && (!items || isOutdated))
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  if (!items || isRestoring) return <Loading />;
  if (items.length === 0) {
    return (
      <Notice role="status">
        {list.hasNextPage ? (
          <>
            <p>Nothing found so far.</p>
            <Button isBusy={list.isFetching} onClick={() => void list.fetchNextPage()}>
              Search further
            </Button>
          </>
        ) : (
          empty
        )}
      </Notice>
    );
  }
  return (
    <div aria-busy={isOutdated}>
      <SimilarNote page={pages[0]} />
      {children}
      <ResponsiveTable {...table} rows={items} isComplete={!list.hasNextPage} listId={listId} />
      <LoadMore list={list} />
    </div>
  );
};

/** One line above a list, about how it was found. */
export const FoundNote = ({ children }: { children: ReactNode }) => <p className="soft">{children}</p>;

/** Says that nothing matches a search, and that what is listed is similar, or found for other words. */
export const SimilarNote = ({ page }: { page: ListPage<unknown> | undefined }) => {
  const { correctedQuery } = page ? forgivenIn(page.headers) : {};
  if (!page?.isSimilar && correctedQuery === undefined) return null;
  return (
    <FoundNote>
      Nothing matches “<bdi>{page?.filters['q']}</bdi>”.{' '}
      {correctedQuery === undefined ? (
        'This is similar:'
      ) : (
        <>
          Results for <em dir="auto">{correctedQuery}</em>:
        </>
      )}
    </FoundNote>
  );
};
