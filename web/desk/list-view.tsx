/** A list of the desk is data: its query, filters, columns, acts and panel. This component shows any such list, so it has no words of the shop. */

import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useMemo } from 'react';
import type { Filters } from '../../contract/paths.ts';
import { type ListPage, type ListQuery, read } from '../api/calls.ts';
import { forgivenIn } from '../api/catalogue.ts';
import { Button } from '../components/button.tsx';
import { Listed } from '../components/fetched.tsx';
import { LoadMore } from '../components/load-more.tsx';
import { Notice } from '../components/notice.tsx';
import { type Column, idOf, ResponsiveTable } from '../components/responsive-table.tsx';
import { useList } from '../list/use-list.ts';
import type { ActOnRows } from './acts.tsx';
import { ListContext } from './columns.tsx';
import { type Choices, FilterBar, type FilterFields, namesOf, useFilters, useOpenPanel } from './filters.tsx';
import { SelectionBar, SelectRow, useSelection } from './selection.tsx';
import { ExportLinks, Tabs, ViewHead } from './view-head.tsx';

type ListView<Row> = FilterFields & {
  name: string;
  /** The line below the heading. */
  about?: string;
  /** The word for one item; the name is that for several. */
  one: string;
  query: (filters: Filters) => ListQuery<Row>;
  /** Needed if rows have no `_id`; acts need rows with an `_id`. */
  keyOf?: (row: Row) => string;
  /** The row's name, for screen readers. */
  nameOf?: (row: Row) => string;
  columns: (filters: Filters) => readonly Column<Row>[];
  /** The most used filter, shown as tabs. `counts`: where the response counts the items of each choice, with `all` for the empty one. */
  tabs?: { by: string; names: Choices; counts?: string };
  /** The addresses of files with all items. */
  exports?: (filters: Filters) => Choices;
  /** Shown beside the heading. */
  Actions?: ComponentType<{ filters: Filters }>;
  acts?: readonly ActOnRows<Row>[];
  /** The panel of a row. The address has the row's id in a parameter named as `one`. */
  Panel?: ComponentType<PanelOf<Row>>;
  /** The text for a list without items. */
  none?: string;
};

/** `rows`: those on the screen. */
export type PanelOf<Row = unknown> = { id: string; close: () => void; rows: readonly Row[] };

export const listView =
  <Row extends object>(view: ListView<Row>): ComponentType =>
  () => <List view={view} />;

const List = <Row extends object>({ view }: { view: ListView<Row> }) => {
  const { name, about, one, tabs, exports, Panel, Actions, acts, none, keyOf = idOf } = view;
  const many = name.toLowerCase();
  const filterNames = [...(tabs ? [tabs.by] : []), ...namesOf(view)];
  const { filters, change } = useFilters(filterNames);
  const { openId, open, step, close } = useOpenPanel(one);
  const found = useList(view.query(filters));
  const { items = [], list, listId, pages, isOutdated } = found;
  const [page] = pages;
  const { chosen, selected, toggle, choose } = useSelection(items);
  /** The filters of the list on the screen. The filters in the address differ until the next list arrives. */
  const shown = page?.filters ?? filters;
  const columns = useMemo(() => columnsOf(view, shown), [view, shown]);
  const at = items.findIndex((row) => keyOf(row) === openId);
  const isLast = at >= 0 && at === items.length - 1;
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const isComplete = !hasNextPage;
  // The panel leads on to the next page.
  useEffect(() => {
    if (isLast && hasNextPage && !isFetching) void fetchNextPage();
  }, [isLast, hasNextPage, isFetching, fetchNextPage]);
  const stepTo = (row: Row | undefined) => row && (() => step(keyOf(row)));
  const steps = at < 0 ? {} : { Previous: stepTo(items[at - 1]), Next: stepTo(items[at + 1]) };
  const isSearch = Object.values({ ...shown, sort: '' }).some(Boolean);
  const showAll = () => change(Object.fromEntries(filterNames.map((filter) => [filter, ''])));
  const nothing = (
    <Notice role="status">
      <p>{shown['q'] ? `No ${one} matches.` : isSearch ? `No ${many} here.` : (none ?? `No ${many} yet.`)}</p>
      {isSearch && <Button onClick={showAll}>Show all {many}</Button>}
    </Notice>
  );
  return (
    <ListContext value={{ open, chosen, toggle, steps }}>
      <ViewHead
        name={name}
        about={about}
        tabs={tabs && <CountedTabs {...tabs} label={`Which ${many}`} filters={filters} />}
      >
        {Actions && <Actions filters={filters} />}
      </ViewHead>
      <FilterBar {...view} label={`Filter the ${many}`} filters={filters} change={change}>
        {exports && (
          <ExportLinks links={exports(page?.isSimilar ? { ...filters, spelling: 'similar' } : filters)} />
        )}
      </FilterBar>
      <Listed found={found} problem={`The ${many} could not be fetched.`} whenEmpty={nothing}>
        {(rows) => (
          <div aria-busy={isOutdated}>
            <SimilarNote page={page} />
            {acts && <SelectionBar {...{ one, rows, selected, choose, acts, isComplete }} />}
            <ResponsiveTable
              key={listId}
              label={name}
              columns={columns}
              keyOf={keyOf}
              rows={rows}
              isComplete={isComplete}
            />
            <LoadMore list={list} />
          </div>
        )}
      </Listed>
      {openId && Panel && <Panel key={openId} id={openId} close={() => close(openId)} rows={items} />}
    </ListContext>
  );
};

/** Says that nothing matches a search, and that the list has similar items, or matches of other words. */
export const SimilarNote = ({ page }: { page: ListPage<unknown> | undefined }) => {
  const { correctedQuery } = page ? forgivenIn(page.headers) : {};
  if (!page?.isSimilar && correctedQuery === undefined) return null;
  return (
    <p className="soft">
      Nothing matches “<bdi>{page?.filters['q']}</bdi>”.{' '}
      {correctedQuery === undefined ? 'This is similar' : 'Results for '}
      <em dir="auto">{correctedQuery}</em>:
    </p>
  );
};

/** @returns the columns of a view, with checkboxes in front if the view has acts on rows. */
const columnsOf = <Row extends object>(view: ListView<Row>, shown: Filters): readonly Column<Row>[] => {
  const { columns, acts, nameOf = idOf } = view;
  const select: Column<Row> = {
    heading: 'Select',
    kind: 'select',
    width: '2.75rem',
    cell: (row) => <SelectRow id={idOf(row)} label={nameOf(row)} />,
  };
  return [...(acts ? [select] : []), ...columns(shown)];
};

type CountedTabsProps = NonNullable<ListView<never>['tabs']> & { label: string; filters: Filters };

/** The store does not count the matches of a search: it would read every item. */
const CountedTabs = ({ label, by, names, counts = '', filters }: CountedTabsProps) => {
  const { [by]: _, ...others } = filters;
  // With no filter the query is that of the navigation.
  const set = Object.fromEntries(Object.entries(others).filter(([, value]) => value));
  const { data } = useQuery({
    ...read<Readonly<Record<string, number>>>('desk', counts, set),
    enabled: counts !== '' && !set['q'],
  });
  const tabs = Object.entries(names).map(
    ([choice, name]) => [name, { [by]: choice }, data?.[choice || 'all']] as const,
  );
  return <Tabs label={label} filters={filters} tabs={tabs} />;
};
