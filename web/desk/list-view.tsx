/** A list of the desk is data: its query, filters, columns, acts and panel. This shows it. It knows ids and addresses, and no word of the shop. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { countText } from '../../contract/desk/limits.ts';
import { type Filters, type ListPage, type ListQuery, read, withFilters } from '../api/calls.ts';
import { Button } from '../components/button.tsx';
import type { Column } from '../components/responsive-table.tsx';
import { inPlace } from '../list/places.ts';
import { type ActOnRows, isList } from './acts.tsx';
import type { DeskColumn } from './columns.tsx';
import { DeskList, useDeskList } from './desk-list.tsx';
import { ExportLinks } from './export-links.tsx';
import { ChoiceFilter, DayFilters, FilterBar, TextFilter } from './filters.tsx';
import { ListContext } from './list-context.ts';
import { SelectionBar, SelectRow } from './selection-bar.tsx';
import { Tabs } from './tabs.tsx';
import { areSet, dayNames, useFilters, useOpenPanel } from './use-filters.ts';
import { idOf, useSelection } from './use-selection.ts';
import { ViewHead } from './view-head.tsx';

type Choices = Readonly<Record<string, string>>;
/** A part that depends on the filters of the list that is shown: until the next list arrives, those in the address would not fit. */
type ByFilters<Value> = Value | ((shown: Filters) => Value);
type ByPage<Row> = ReactNode | ((page: ListPage<Row> | undefined) => ReactNode);

export type ListView<Row> = {
  name: string;
  about: ByPage<Row>;
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
  const { name, one, many = `${one}s`, keyOf = idOf, tabs, panel, Actions, acts } = view;
  const { filters, change } = useFilters(filterNames);
  const { openId, open, close } = useOpenPanel(panel?.by ?? '');
  const row = useRow<Row>(openId);
  const instead = view.instead?.(filters);
  const found = useDeskList(view.query(filters), instead === undefined);
  const { items = [], list, pages } = found;
  const [page] = pages;
  const shown = page?.filters ?? filters;
  const { chosen, selected, toggle, choose } = useSelection(items, keyOf);
  const columns = useColumns(view, shown);
  const showAll = () => change(Object.fromEntries(filterNames.map((filter) => [filter, ''])));
  return (
    <ListContext value={{ filters, open, chosen, toggle }}>
      <ViewHead name={name} about={from(view.about, page)}>
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
          label={from(view.label ?? name, shown)}
          columns={columns}
          keyOf={keyOf}
          problem={`The ${many} could not be fetched.`}
          empty={
            page && areSet({ ...shown, sort: '' }) ? (
              <>
                <p>{from(view.empty.matching, page)}</p>
                <Button onClick={showAll}>{view.empty.all}</Button>
              </>
            ) : (
              <p>{view.empty.none}</p>
            )
          }
        >
          {page && view.above?.(page)}
          {acts && (
            <SelectionBar
              rows={items}
              selected={selected}
              choose={choose}
              noun={one}
              isComplete={!list.hasNextPage}
              acts={acts}
            />
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
    const sorted = shown['sort'] || usual;
    const select: Column<Row> = {
      heading: 'Select',
      isHeadingHidden: true,
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

/** @returns the row of this id in any list that is shown. */
const useRow = <Row extends object>(id: string): Row | undefined => {
  const queryClient = useQueryClient();
  const find = () =>
    queryClient
      .getQueriesData({ queryKey: ['desk'] })
      .flatMap(([, data]) => (isList<Row>(data) ? data.pages.flatMap(({ body }) => body) : []))
      .find((row) => idOf(row) === id);
  return useSyncExternalStore(
    (onChange) => queryClient.getQueryCache().subscribe(onChange),
    () => (id ? find() : undefined),
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
  const { search, choices = [], days = false, exports, filtersLabel = `Filter the ${many}` } = view;
  const fieldOf = (by: string) => ({
    value: filters[by] ?? '',
    onChange: (value: string) => change({ [by]: value }),
  });
  const [firstChoice, ...others] = choices;
  const folded = search ? choices : others;
  const choiceOf = ({ by, label, names }: (typeof choices)[number]) => (
    <ChoiceFilter key={by} label={label} {...fieldOf(by)} choices={from(names, filters)} />
  );
  const main = search ? (
    <TextFilter {...search} label={search.label ?? 'Search'} {...fieldOf(search.by ?? 'q')} />
  ) : (
    firstChoice && choiceOf(firstChoice)
  );
  const values = [...folded.map(({ by }) => by), ...(days ? dayNames : [])].map((by) => filters[by] ?? '');
  return (
    <FilterBar label={filtersLabel} main={main} values={values} error={error}>
      {(folded.length > 0 || days || exports) && (
        <>
          {folded.map(choiceOf)}
          {days && <DayFilters filters={filters} change={change} error={error} />}
          {exports && (
            <ExportLinks
              label={exports.label}
              links={exports.links(page?.isSimilar ? { ...filters, spelling: 'similar' } : filters)}
            />
          )}
        </>
      )}
    </FilterBar>
  );
};
