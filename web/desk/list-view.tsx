/** A list of the desk is data: its query, filters, columns, acts and panel. This shows it. It knows ids and addresses, and no word of the shop. */
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo, useRef, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { countText } from '../../contract/desk/limits.ts';
import { type Filters, type ListPage, type ListQuery, read, withFilters } from '../api/calls.ts';
import type { Column } from '../components/responsive-table.tsx';
import { inPlace } from '../list/places.ts';
import { useList } from '../list/use-list.ts';
import { ActButtons, type ActOnRows, isList } from './acts.tsx';
import type { DeskColumn } from './columns.tsx';
import { DeskList } from './desk-list.tsx';
import { ExportLinks } from './export-links.tsx';
import { ChoiceFilter, DayFilters, FilterBar, TextFilter } from './filters.tsx';
import { ListContext } from './list-context.ts';
import { SelectionBar, SelectRow } from './selection-bar.tsx';
import { Tabs } from './tabs.tsx';
import { areSet, dayNames, useFilters } from './use-filters.ts';
import { useOpenPanel } from './use-open-panel.ts';
import { idOf, useSelection } from './use-selection.ts';
import { ViewHead } from './view-head.tsx';

type Choices = Readonly<Record<string, string>>;
/** A part that depends on the filters of the list that is shown: until the next list arrives, those in the address would not fit. */
type ByFilters<Value> = Value | ((shown: Filters) => Value);
const by = <Value,>(value: ByFilters<Value>, shown: Filters): Value =>
  typeof value === 'function' ? (value as (shown: Filters) => Value)(shown) : value;

export type ListView<Row> = {
  name: string;
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

  /** The choice that is made most. A number of items has the name of its choice, `all` for the empty one. */
  tabs?: {
    label: string;
    by: string;
    names: Choices;
    /** Where the store counts them. */
    counts: string;
  };
  /** The filter that is typed; `q` by default. */
  search?: { by?: string; label?: string; placeholder: string; maxLength?: number };
  choices?: readonly { by: string; label: string; names: ByFilters<Choices> }[];
  days?: boolean;
  /** Names the filters for screen readers. */
  filtersLabel?: string;
  /** @returns whether there is anything to filter. */
  hasFilters?: (page: ListPage<Row> | undefined) => boolean;
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

/** `row` is the one with the id, where a list that is shown has it. */
export type PanelOf<Row> = { id: string; row: Row | undefined; close: () => void };

export const listView = <Row extends object>(view: ListView<Row>): ComponentType => {
  const names = filterNamesOf(view);
  return () => <List view={view} filterNames={names} />;
};

const filterNamesOf = <Row,>({ tabs, search, choices = [], days }: ListView<Row>): string[] => [
  ...(tabs ? [tabs.by] : []),
  ...(search ? [search.by ?? 'q'] : []),
  ...choices.map((choice) => choice.by),
  ...(days ? dayNames : []),
  'sort',
];

type ListProps<Row> = { view: ListView<Row>; filterNames: readonly string[] };

const List = <Row extends object>({ view, filterNames }: ListProps<Row>) => {
  const { name, one, many = `${one}s`, keyOf = idOf, tabs, panel, Actions, acts } = view;
  const { filters, change } = useFilters(filterNames);
  const { openId, open, close } = useOpenPanel(panel?.by ?? '');
  const row = useRow<Row>(openId);
  const instead = view.instead?.(filters);
  const found = useList({ ...view.query(filters), enabled: instead === undefined });
  const { items = [], list, pages } = found;
  const [page] = pages;
  const shown = page?.filters ?? filters;
  const { chosen, selected, toggle, choose } = useSelection(items, keyOf);
  const selectAll = useRef<HTMLInputElement>(null);
  const columns = useColumns(view, shown);
  const { matching } = view.empty;
  const isRestricted = areSet({ ...shown, sort: '' });
  return (
    <ListContext value={{ filters, open, chosen, toggle }}>
      <ViewHead name={name} about={typeof view.about === 'function' ? view.about(page) : view.about}>
        {Actions && <Actions />}
      </ViewHead>
      {tabs && <CountedTabs tabs={tabs} filters={filters} />}
      {view.hasFilters?.(page) !== false && (
        <ListFilters
          view={view}
          many={many}
          filters={filters}
          change={change}
          page={page}
          error={list.error}
        />
      )}
      {instead ?? (
        <DeskList
          found={found}
          label={by(view.label ?? name, shown)}
          columns={columns}
          keyOf={keyOf}
          problem={`The ${many} could not be fetched.`}
          whenEmpty={
            isRestricted && page
              ? {
                  text: typeof matching === 'function' ? matching(page) : matching,
                  button: view.empty.all,
                  onClick: () => change(Object.fromEntries(filterNames.map((filter) => [filter, '']))),
                }
              : { text: view.empty.none }
          }
        >
          {page && view.above?.(page)}
          {acts && (
            <SelectionBar
              items={items}
              noun={one}
              selection={{ selected, choose }}
              isComplete={!list.hasNextPage}
              selectAll={selectAll}
            >
              <ActButtons
                acts={acts}
                rows={selected}
                onDone={() => choose([])}
                otherFocus={() => selectAll.current}
              />
            </SelectionBar>
          )}
        </DeskList>
      )}
      {openId && panel && <panel.Panel key={openId} id={openId} row={row} close={() => close(openId)} />}
    </ListContext>
  );
};

/** The columns of a view, with the boxes that select, and with headings that sort. */
const useColumns = <Row extends object>(view: ListView<Row>, shown: Filters): readonly Column<Row>[] =>
  useMemo(() => {
    const { columns, acts, keyOf = idOf, nameOf = keyOf, defaultSort } = view;
    const usual = defaultSort?.(shown) ?? '';
    const now = shown['sort'] || usual;
    const sortable = by(columns, shown).map(
      ({ sort, ...column }): Column<Row> =>
        sort
          ? {
              ...column,
              head: <SortLink sort={sort.by === usual ? '' : sort.by}>{column.heading}</SortLink>,
              sorted: now === sort.by ? sort.direction : undefined,
            }
          : column,
    );
    const select: Column<Row> = {
      heading: 'Select',
      isHeadingHidden: true,
      kind: 'select',
      width: '2.75rem',
      cell: (row) => <SelectRow id={keyOf(row)} label={nameOf(row)} />,
    };
    return acts ? [select, ...sortable] : sortable;
  }, [view, shown]);

const SortLink = ({ sort, children }: { sort: string; children: string }) => {
  const [path] = useLocation();
  const others = Object.fromEntries(new URLSearchParams(window.location.search));
  return (
    <Link className="linkish" href={withFilters(path, { ...others, sort })} replace state={inPlace}>
      {children}
    </Link>
  );
};

/** @returns the row of this id in any list that is shown. */
const useRow = <Row extends object>(id: string): Row | undefined => {
  const queryClient = useQueryClient();
  const cache = queryClient.getQueryCache();
  return useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => {
      if (!id) return undefined;
      const lists = queryClient.getQueriesData({
        queryKey: ['desk'],
        predicate: ({ state }) => isList(state.data),
      });
      const rows = lists.flatMap(([, list]) =>
        (list as InfiniteData<ListPage<Row>>).pages.flatMap(({ body }) => body),
      );
      return rows.find((row) => idOf(row) === id);
    },
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
  many: string;
  filters: Filters;
  change: (changes: Filters) => void;
  page: ListPage<Row> | undefined;
  error: Error | null;
};

const ListFilters = <Row,>({ view, many, filters, change, page, error }: ListFiltersProps<Row>) => {
  const { search, choices = [], days, exports, filtersLabel = `Filter the ${many}` } = view;
  const valueIn = (filter: string) => filters[filter] ?? '';
  const searched = search?.by ?? 'q';
  const [first, ...rest] = choices.map((choice) => (
    <ChoiceFilter
      key={choice.by}
      label={choice.label}
      value={valueIn(choice.by)}
      onChange={(value) => change({ [choice.by]: value })}
      choices={by(choice.names, filters)}
    />
  ));
  const hidden = search ? choices : choices.slice(1);
  const found = page?.isSimilar ? { ...filters, spelling: 'similar' } : filters;
  return (
    <FilterBar
      label={filtersLabel}
      main={
        search ? (
          <TextFilter
            label={search.label ?? 'Search'}
            value={valueIn(searched)}
            onChange={(value) => change({ [searched]: value })}
            placeholder={search.placeholder}
            maxLength={search.maxLength}
          />
        ) : (
          first
        )
      }
      values={[...hidden.map((choice) => choice.by), ...(days ? dayNames : [])].map(valueIn)}
      error={error}
    >
      {hidden.length > 0 || days || exports ? (
        <>
          {search && first}
          {rest}
          {days && <DayFilters filters={filters} change={change} error={error} />}
          {exports && <ExportLinks label={exports.label} links={exports.links(found)} />}
        </>
      ) : undefined}
    </FilterBar>
  );
};
