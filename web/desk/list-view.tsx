/** A list of the desk is data: its query, filters, columns, acts and panel. This shows it. It knows ids and addresses, and no word of the shop. */
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { countText } from '../../contract/desk/limits.ts';
import { type Filters, type ListPage, type ListQuery, read, withFilters } from '../api/calls.ts';
import { forgivenIn } from '../api/catalogue.ts';
import { Button } from '../components/button.tsx';
import { LoadMore } from '../components/load-more.tsx';
import { Loading } from '../components/loading.tsx';
import { Notice } from '../components/notice.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { TryAgain } from '../components/try-again.tsx';
import { inPlace } from '../list/places.ts';
import { useList } from '../list/use-list.ts';
import type { ActOnRows } from './acts.tsx';
import type { DeskColumn } from './columns.tsx';
import { ExportLinks } from './export-links.tsx';
import { ChoiceFilter, DayFilters, FilterBar, TextFilter } from './filters.tsx';
import { ListContext } from './list-context.ts';
import { SelectionBar, SelectRow } from './selection-bar.tsx';
import { Tabs } from './tabs.tsx';
import { areSet, dayNames, useFilters, useOpenPanel, wrongDay } from './use-filters.ts';
import { idOf, useSelection } from './use-selection.ts';
import { ViewHead } from './view-head.tsx';

type Choices = Readonly<Record<string, string>>;
/** A part that depends on the filters of the list that is shown: until the next list arrives, those in the address would not fit. */
type ByFilters<Value> = Value | ((shown: Filters) => Value);

export type ListView<Row> = {
  name: string;
  /** What comes with the list moves what is below it: the filters wait. */
  about: ReactNode | ((page: ListPage<Row> | undefined) => ReactNode);
  /** The words for one item, and for all of them. */
  one: string;
  many?: string;
  query: (filters: Filters) => ListQuery<Row>;
  /** Unless each row has an `_id`. */
  keyOf?: (row: Row) => string;
  /** Names the table for screen readers: `name` otherwise. */
  label?: ByFilters<string>;
  /** Names a row for screen readers. */
  nameOf?: (row: Row) => string;
  columns: ByFilters<readonly DeskColumn<Row>[]>;
  /** The order without `sort` in the address. */
  defaultSort?: (filters: Filters) => string;

  /** The choice that is made most. `counts` is where the store counts its items: by choice, and `all` for the empty one. */
  tabs?: { label: string; by: string; names: Choices; counts: string };
  /** The filter that is typed; `q` by default. */
  search?: { by?: string; label?: string; placeholder: string; maxLength?: number };
  choices?: readonly { by: string; label: string; names: ByFilters<Choices> }[];
  days?: boolean;
  exports?: { label: string; links: (filters: Filters) => Choices };

  /** Beside the heading. */
  Actions?: ComponentType;
  acts?: readonly ActOnRows<Row>[];
  panel?: { by: string; Panel: ComponentType<PanelOf<Row>> };
  /** Between the filters and the table. */
  above?: (page: ListPage<Row>) => ReactNode;
  /** In place of the list, for filters that it is not asked with. */
  instead?: (filters: Filters) => ReactNode;
  /** The texts for no items at all, and for none that matches; and the button that leads to all. */
  empty: { none: string; matching: ReactNode | ((page: ListPage<Row>) => ReactNode); all: string };
};

/** `row` is the one with the id, where the list has it. */
export type PanelOf<Row> = { id: string; row: Row | undefined; close: () => void };

export const listView = <Row extends object>(view: ListView<Row>): ComponentType => {
  const { tabs, search, choices = [], days } = view;
  const filterNames = [
    ...(tabs ? [tabs.by] : []),
    ...(search ? [search.by ?? 'q'] : []),
    ...choices.map((choice) => choice.by),
    ...(days ? dayNames : []),
    'sort',
  ];
  return () => <List view={view} filterNames={filterNames} />;
};

const from = <Value, Given>(value: Value | ((given: Given) => Value), given: Given): Value =>
  typeof value === 'function' ? (value as (given: Given) => Value)(given) : value;

type ListProps<Row> = { view: ListView<Row>; filterNames: readonly string[] };

const List = <Row extends object>({ view, filterNames }: ListProps<Row>) => {
  const { name, keyOf = idOf, tabs, panel, Actions, acts } = view;
  const { filters, change } = useFilters(filterNames);
  const { openId, open, close } = useOpenPanel(panel?.by ?? '');
  const instead = view.instead?.(filters);
  const found = useList({ ...view.query(filters), enabled: instead === undefined });
  const { items = [], list, pages } = found;
  const [page] = pages;
  const shown = page?.filters ?? filters;
  const { chosen, selected, toggle, choose } = useSelection(items, keyOf);
  const showAll = () => change(Object.fromEntries(filterNames.map((filter) => [filter, ''])));
  return (
    <ListContext value={{ filters, open, chosen, toggle }}>
      <ViewHead name={name} about={from(view.about, page)}>
        {Actions && <Actions />}
      </ViewHead>
      {tabs && <CountedTabs tabs={tabs} filters={filters} />}
      {(page || typeof view.about !== 'function') && (
        <ListFilters view={view} filters={filters} change={change} page={page} error={list.error} />
      )}
      {instead ?? (
        <Rows view={view} found={found} shown={shown} showAll={showAll}>
          {acts && (
            <SelectionBar
              rows={items}
              selected={selected}
              choose={choose}
              noun={view.one}
              isComplete={!list.hasNextPage}
              acts={acts}
            />
          )}
        </Rows>
      )}
      {openId && panel && (
        <panel.Panel
          key={openId}
          id={openId}
          row={items.find((row) => idOf(row) === openId)}
          close={() => close(openId)}
        />
      )}
    </ListContext>
  );
};

type RowsProps<Row> = {
  view: ListView<Row>;
  found: ReturnType<typeof useList<Row, ListPage<Row>, QueryKey>>;
  shown: Filters;
  showAll: () => void;
  /** Above the table. */
  children: ReactNode;
};

/** The list in each of its states: it is on its way, cannot be fetched, has no rows, or is there as a table. */
const Rows = <Row extends object>({ view, found, shown, showAll, children }: RowsProps<Row>) => {
  const { name, one, many = `${one}s`, label = name, keyOf = idOf, empty } = view;
  const { list, pages, items, isOutdated, isRestoring, listId } = found;
  const [page] = pages;
  const columns = useColumns(view, shown);
  // The filters tell it.
  if (wrongDay(list.error)) return null;
  if (list.isError && (!items || isOutdated)) {
    const problem = `The ${many} could not be fetched.`;
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  }
  if (!page || !items || isRestoring) return <Loading />;
  if (items.length > 0) {
    return (
      <div aria-busy={isOutdated}>
        <SimilarNote page={page} />
        {view.above?.(page)}
        {children}
        <ResponsiveTable
          label={from(label, shown)}
          columns={columns}
          keyOf={keyOf}
          rows={items}
          isComplete={!list.hasNextPage}
          listId={listId}
        />
        <LoadMore list={list} />
      </div>
    );
  }
  const isSearch = areSet({ ...shown, sort: '' });
  return (
    <Notice role="status">
      {list.hasNextPage && (
        <>
          <p>Nothing found so far.</p>
          <Button isBusy={list.isFetching} onClick={() => void list.fetchNextPage()}>
            Search further
          </Button>
        </>
      )}
      {!list.hasNextPage && <p>{isSearch ? from(empty.matching, page) : empty.none}</p>}
      {!list.hasNextPage && isSearch && <Button onClick={showAll}>{empty.all}</Button>}
    </Notice>
  );
};

/** Says that nothing matches a search, and that what is listed is similar, or found for other words. */
export const SimilarNote = ({ page }: { page: ListPage<unknown> | undefined }) => {
  const { correctedQuery } = page ? forgivenIn(page.headers) : {};
  if (!page?.isSimilar && correctedQuery === undefined) return null;
  return (
    <p className="soft">
      Nothing matches “<bdi>{page?.filters['q']}</bdi>”.{' '}
      {correctedQuery === undefined ? (
        'This is similar:'
      ) : (
        <>
          Results for <em dir="auto">{correctedQuery}</em>:
        </>
      )}
    </p>
  );
};

/** The columns of a view, with the boxes that select, and with headings that sort. */
const useColumns = <Row extends object>(view: ListView<Row>, shown: Filters): readonly Column<Row>[] =>
  useMemo(() => {
    const { columns, acts, keyOf = idOf, nameOf = keyOf, defaultSort } = view;
    const usual = defaultSort?.(shown) ?? '';
    const sorted = shown['sort'] || usual;
    const select: Column<Row> = {
      heading: 'Select',
      kind: 'select',
      width: '2.75rem',
      cell: (row) => <SelectRow id={keyOf(row)} label={nameOf(row)} />,
    };
    const others = from(columns, shown).map(({ sort, ...column }): Column<Row> => {
      if (!sort) return column;
      return {
        ...column,
        head: <SortLink sort={sort.by === usual ? '' : sort.by}>{column.heading}</SortLink>,
        sorted: sorted === sort.by ? sort.direction : undefined,
      };
    });
    return acts ? [select, ...others] : others;
  }, [view, shown]);

const SortLink = ({ sort, children }: { sort: string; children: string }) => {
  const [path] = useLocation();
  const others = Object.fromEntries(new URLSearchParams(window.location.search));
  return (
    <Link href={withFilters(path, { ...others, sort })} replace state={inPlace}>
      {children}
    </Link>
  );
};

type CountedTabsProps = { tabs: NonNullable<ListView<never>['tabs']>; filters: Filters };

/** The store counts no matches of a search: it would read every item. */
const CountedTabs = ({ tabs, filters }: CountedTabsProps) => {
  const { [tabs.by]: value, q = '', ...others } = filters;
  const { data } = useQuery({
    ...read<Readonly<Record<string, number>>>('desk', tabs.counts, others),
    enabled: q === '',
  });
  return (
    <Tabs
      label={tabs.label}
      tabs={Object.entries(tabs.names).map(([choice, name]) => {
        const count = q === '' ? data?.[choice || 'all'] : undefined;
        return {
          name,
          filters: { ...filters, [tabs.by]: choice },
          isCurrent: value === choice,
          count: count === undefined ? undefined : countText(count),
        };
      })}
    />
  );
};

type ListFiltersProps<Row> = {
  view: ListView<Row>;
  filters: Filters;
  change: (changes: Filters) => void;
  page: ListPage<Row> | undefined;
  error: Error | null;
};

const ListFilters = <Row,>({ view, filters, change, page, error }: ListFiltersProps<Row>) => {
  const { one, many = `${one}s`, search, choices = [], days, exports } = view;
  const fieldOf = (by: string) => ({
    value: filters[by] ?? '',
    onChange: (value: string) => change({ [by]: value }),
  });
  return (
    <FilterBar label={`Filter the ${many}`} error={error}>
      {search && <TextFilter {...search} label={search.label ?? 'Search'} {...fieldOf(search.by ?? 'q')} />}
      {choices.map(({ by, label, names }) => (
        <ChoiceFilter key={by} label={label} {...fieldOf(by)} choices={from(names, filters)} />
      ))}
      {days && <DayFilters filters={filters} change={change} error={error} />}
      {exports && (
        <ExportLinks
          label={exports.label}
          links={exports.links(page?.isSimilar ? { ...filters, spelling: 'similar' } : filters)}
        />
      )}
    </FilterBar>
  );
};
