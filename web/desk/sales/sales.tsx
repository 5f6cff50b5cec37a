import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { BestSeller, SalesPeriod, Sales as SalesRow } from '../../../contract/desk/sales.ts';
import { sumOf } from '../../../contract/money.ts';
import type { Filters } from '../../../contract/paths.ts';
import { todayIn } from '../../../contract/shop-days.ts';
import { read } from '../../api/calls.ts';
import { downloadAddress } from '../../api/changes.ts';
import { storeNow } from '../../api/store-clock.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { ResponsiveTable } from '../../components/responsive-table.tsx';
import { useStoreTime } from '../../components/use-store-time.ts';
import { money } from '../../store-config.ts';
import { amount, number, title } from '../columns.tsx';
import { FilterBar, useFilters } from '../filters.tsx';
import { shopZone } from '../time.tsx';
import { ExportLinks, Tabs, ViewHead } from '../view-head.tsx';
import styles from './chart.module.css';
import { periodName, spanName, timeBefore, timesUntil } from './periods.ts';

const salesQuery = (filters: Filters) => read<SalesRow[]>('desk', deskPaths.sales, filters);

const filterNames = ['by', 'from', 'to'];
const periodChoice = { by: 'by', label: 'By', names: () => ({ '': 'Day', week: 'Week', month: 'Month' }) };
/** `newest`: the name of the period that the store lists when no days are chosen. */
const periods: Record<SalesPeriod, { newest: string; table: string }> = {
  day: { newest: 'Last 30 days', table: 'Daily' },
  week: { newest: 'Last 26 weeks', table: 'Weekly' },
  month: { newest: 'Last 24 months', table: 'Monthly' },
};

const shopToday = () => todayIn(shopZone, storeNow());

export const Sales = () => {
  const { filters, change } = useFilters(filterNames);
  const by = filters['by'] === 'week' || filters['by'] === 'month' ? filters['by'] : 'day';
  const query = { ...filters, by };
  const sales = useQuery({ ...salesQuery(query), placeholderData: keepPreviousData });
  const spans = { [periods[by].newest]: { from: '', to: '' }, ...timesUntil(useStoreTime(shopToday)) };
  return (
    <>
      <ViewHead
        name="Sales"
        about="Without withdrawn and cancelled orders. A week begins on Monday."
        tabs={<Tabs label="Time" filters={filters} tabs={Object.entries(spans)} />}
      />
      <FilterBar label="Choose the time" filters={filters} change={change} choices={[periodChoice]} days>
        <ExportLinks links={{ CSV: downloadAddress(deskPaths.salesExport, query) }} />
      </FilterBar>
      <Fetched query={sales} problem="The sales could not be fetched.">
        {(rows) => <Report sales={rows} table={periods[by].table} isBusy={sales.isPlaceholderData} />}
      </Fetched>
    </>
  );
};

const revenueOf = (sales: readonly SalesRow[]): number => sumOf(sales.map(({ revenue }) => revenue));

const Report = ({ sales, table, isBusy }: { sales: readonly SalesRow[]; table: string; isBusy: boolean }) => {
  const [first, ...others] = sales;
  const span = first && { from: first.from, to: others.at(-1)?.to ?? first.to };
  const spanBefore = span && timeBefore(span);
  const before = useQuery({ ...salesQuery({ by: 'month', ...spanBefore }), enabled: span !== undefined });
  const books = useQuery({
    ...read<BestSeller[]>('desk', deskPaths.bestSellers, { ...span }),
    enabled: span !== undefined,
    placeholderData: keepPreviousData,
  });
  if (!spanBefore) return <p>No day is in this time.</p>;
  const orders = sales.reduce((sum, item) => sum + item.orders, 0);
  const revenue = revenueOf(sales);
  const delivery = sumOf(sales.map(({ delivery }) => delivery));
  const previous = before.data && money.format(revenueOf(before.data));
  return (
    <div className="stack loose" aria-busy={isBusy}>
      <dl className="facts flow large" aria-label="In all">
        <Fact name={`Revenue, ${spanName(span)}`}>{money.format(revenue)}</Fact>
        {delivery > 0 && <Fact name="Delivery">{money.format(delivery)}</Fact>}
        <Fact name="Orders">{orders.toLocaleString('en')}</Fact>
        <Fact name="Average order">{orders === 0 ? '–' : money.format(revenue / orders)}</Fact>
        <Fact name={`Previous, ${spanName(spanBefore)}`}>
          {previous ?? (before.isError ? 'not known' : '…')}
        </Fact>
      </dl>
      {revenue > 0 && <Chart sales={[first, ...others]} />}
      <div className="split">
        <section className="stack tight">
          <h2>Best sellers</h2>
          <Fetched query={books} problem="The best sellers could not be fetched.">
            {(rows) => <ResponsiveTable label="Best sellers" columns={bestSellerColumns} rows={rows} />}
          </Fetched>
          {orders === 0 && <p className="soft">Nothing was sold in this time.</p>}
        </section>
        <section className="stack tight">
          <h2>{table}</h2>
          <ResponsiveTable
            label={table}
            columns={salesColumns}
            keyOf={firstDayOf}
            rows={sales.toReversed()}
          />
        </section>
      </div>
    </div>
  );
};

/** The most bars: on a phone the gaps between more bars would be thinner than a pixel, and make the bars look pale. */
const maxSpacedBars = 60;

/**
 * The revenue as bars; each shows its figures when it is pointed at. It is plain SVG: a library of charts would be the largest part of the
 * desk. Screen readers have the same figures in the table beside it.
 */
const Chart = ({ sales }: { sales: readonly [SalesRow, ...SalesRow[]] }) => {
  const [first, last] = [sales[0], sales.at(-1) ?? sales[0]];
  const top = Math.max(...sales.map(({ revenue }) => revenue));
  const gap = sales.length > maxSpacedBars ? 0 : 0.4;
  return (
    <figure className="soft figures">
      <span>{money.format(top)}</span>
      <svg
        className={styles.chart}
        role="img"
        aria-label={`Revenue, ${spanName({ from: first.from, to: last.to })}: at most ${money.format(top)}`}
        viewBox={`0 0 ${sales.length} 1`}
        preserveAspectRatio="none"
      >
        {sales.map((period, place) => (
          <g key={period.from}>
            <title>{`${periodName(period)}: ${money.format(period.revenue)}, ${counted(period.orders, 'order')}`}</title>
            {/* The whole height of the column can be pointed at. */}
            <rect x={place} width={1} height={1} fill="transparent" />
            <rect
              x={place + gap / 2}
              y={1 - period.revenue / top}
              width={1 - gap}
              height={period.revenue / top}
              shapeRendering={gap === 0 ? 'crispEdges' : undefined}
            />
          </g>
        ))}
      </svg>
      <figcaption className="cluster ends">
        <span>{periodName(first)}</span>
        {sales.length > 1 && <span>{periodName(last)}</span>}
      </figcaption>
    </figure>
  );
};

const figures = [
  number<Pick<SalesRow, 'orders'>>('Orders', ({ orders }) => orders, { width: '5.5rem' }),
  amount<Pick<SalesRow, 'revenue'>>('Revenue', ({ revenue }) => revenue, { width: '7.5rem' }),
];
const bestSellerColumns = [
  title<BestSeller>('Book', ({ title, author }) => ({ title, below: [author] })),
  ...figures,
];
const salesColumns = [title<SalesRow>('Time', (row) => ({ title: periodName(row) })), ...figures];
const firstDayOf = ({ from }: SalesRow) => from;
