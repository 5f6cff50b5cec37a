import type { ReactNode } from 'react';
import type { ListPage, ListQuery } from '../api/calls.ts';
import { Button } from '../components/button.tsx';
import { LoadMore } from '../components/load-more.tsx';
import { Loading } from '../components/loading.tsx';
import { Notice } from '../components/notice.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { TryAgain } from '../components/try-again.tsx';
import { useList } from '../list/use-list.ts';
import styles from './desk-list.module.css';
import { wrongDay } from './use-filters.ts';

/** A list of the desk, such as that of the orders. */
export const useDeskList = <Item,>(query: ListQuery<Item>) => useList(query);

/** The text in place of a list without items, and a button that leads to others. */
type EmptyText = { text: ReactNode; button?: string; onClick?: () => void };

type DeskListProps<Item> = {
  found: ReturnType<typeof useDeskList<Item>>;
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Item>[];
  keyOf?: (item: Item) => string;
  /** The text for a list that cannot be fetched. */
  problem: string;
  whenEmpty: EmptyText;
  /** The class of the rows of this view alone. */
  className?: string | undefined;
  /** Above the table. */
  children?: ReactNode;
};

/**
 * The list of a view in each of its states: it is on its way, cannot be fetched, has no items, or is there as a table. On a narrow
 * screen each row is a title with its state at the right, and one or two lines below.
 */
export const DeskList = <Item extends object>({
  found,
  label,
  columns,
  keyOf = idOf,
  problem,
  whenEmpty,
  className,
  children,
}: DeskListProps<Item>) => {
  const { list, pages, items, isOutdated, isRestoring, listId } = found;
  // The filters tell it.
  if (wrongDay(list.error)) return null;
  if (list.isError && (!items || isOutdated))
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  if (!items || isRestoring) return <Loading />;
  if (items.length === 0) {
    const { text, button, onClick } = list.hasNextPage
      ? { text: 'Nothing found so far.', button: 'Search further', onClick: () => void list.fetchNextPage() }
      : whenEmpty;
    return (
      <Notice role="status">
        <p>{text}</p>
        {button && (
          <Button isBusy={list.hasNextPage && list.isFetching} onClick={onClick}>
            {button}
          </Button>
        )}
      </Notice>
    );
  }
  return (
    <div aria-busy={isOutdated}>
      <SimilarNote page={pages[0]} />
      {children}
      <div className={className}>
        <ResponsiveTable
          label={label}
          columns={columns}
          rows={items}
          keyOf={keyOf}
          isComplete={!list.hasNextPage}
          listId={listId}
        />
      </div>
      <LoadMore list={list} />
    </div>
  );
};

/** One line above a list, about how it was found. */
export const FoundNote = ({ children }: { children: ReactNode }) => <p className={styles.note}>{children}</p>;

/** Says that nothing matches a search, and that what is listed is similar. */
export const SimilarNote = ({ page }: { page: ListPage<unknown> | undefined }) =>
  page?.isSimilar && (
    <FoundNote>
      Nothing matches “<bdi>{page.filters['q']}</bdi>”. This is similar:
    </FoundNote>
  );

const idOf = (item: object): string => ('_id' in item ? String(item._id) : '');

/** A text such as an e-mail, which nobody reads twice: what has no room on its line is cut with an ellipsis. */
export const OneLine = ({ children }: { children: string }) => (
  <span className="cut" title={children}>
    {children}
  </span>
);

/** The smaller line below the title of a row. */
export const SecondLine = ({ children }: { children: ReactNode }) => (
  <span className="second" dir="auto">
    {children}
  </span>
);
