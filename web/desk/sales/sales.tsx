import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Sales as PeriodSales } from '../../../contract/desk/sales.ts';
import { formatPrice } from '../../../contract/price.ts';
import { dayOf, todayIn } from '../../../contract/shop-days.ts';
import { downloadAddress, salesQuery } from '../../api/desk-queries.ts';
import { storeNow } from '../../api/store-clock.ts';
import { Loading } from '../../components/loading.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { useStoreTime } from '../../components/use-store-time.ts';
import { ExportLinks } from '../export-links.tsx';
import { Figures } from '../figures.tsx';
import { ChoiceFilter, DayFilters, FilterBar } from '../filters.tsx';
import { Tabs } from '../tabs.tsx';
import { shopZone } from '../time.tsx';
import { useFilters, wrongDay } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';
import { BestSellers, ordersColumn, revenueColumn } from './best-sellers.tsx';
import { type Period, periodName, spanName, timeBefore, timesUntil } from './periods.ts';
import styles from './sales.module.css';
import { SalesChart } from './sales-chart.tsx';

const filterNames = ['by', 'from', 'to'] as const;
const byNames = { '': 'Day', week: 'Week', month: 'Month' };
/** The newest days, weeks or months: as many as the store lists by default. */
const newest = { from: '', to: '' };
const newestNames: Record<Period, string> = {
  day: 'Last 30 days',
  week: 'Last 26 weeks',
  month: 'Last 24 months',
};

/** By the store's clock: the figures of a day that has not come are none. */
const shopToday = () => todayIn(shopZone, storeNow());

const periodIn = (by: string): Period => (by === 'week' || by === 'month' ? by : 'day');

/** Orders and revenue by day, week or month, and the best sellers of the same time. */
export const Sales = () => {
  const { filters, change } = useFilters(filterNames);
  const period = periodIn(filters.by);
  const query = { ...filters, by: period };
  const sales = useQuery({ ...salesQuery(query), placeholderData: keepPreviousData });
  const spans = { [newestNames[period]]: newest, ...timesUntil(useStoreTime(shopToday)) };
  const { from, to } = filters;
  return (
    <>
      <ViewHead name="Sales" about="What buyers paid, without withdrawn orders. A week begins on Monday." />
      <Tabs
        label="Time"
        tabs={Object.entries(spans).map(([name, span]) => ({
          name,
          filters: { by: filters.by, ...span },
          isCurrent: span.from === from && span.to === to,
        }))}
      />
      <FilterBar
        label="Choose the time"
        main={
          <ChoiceFilter label="By" value={filters.by} onChange={(by) => change({ by })} choices={byNames} />
        }
        values={[from, to]}
        error={sales.error}
      >
        <DayFilters filters={filters} change={change} error={sales.error} />
        <ExportLinks label="Export as" links={{ CSV: downloadAddress(deskPaths.salesExport, query) }} />
      </FilterBar>
      {sales.isError && !wrongDay(sales.error) && (
        <TryAgain problem="The sales could not be fetched." error={sales.error} onTryAgain={sales.refetch} />
      )}
      {sales.isPending && <Loading />}
      {sales.data && !sales.isError && (
        <div className={styles.sales} aria-busy={sales.isPlaceholderData}>
          <Report sales={sales.data} period={sales.isPlaceholderData ? guessPeriod(sales.data) : period} />
        </div>
      )}
    </>
  );
};

/** @returns the period of figures that are shown until those of another one arrive. */
const guessPeriod = (sales: readonly PeriodSales[]): Period => {
  const days = Math.max(...sales.map(({ from, to }) => dayOf(to) - dayOf(from)));
  if (days === 0) return 'day';
  return days < 7 ? 'week' : 'month';
};

/** Sums of cents are exact. */
const revenueOf = (sales: readonly PeriodSales[]): number =>
  sales.reduce((sum, { revenue }) => sum + Math.round(revenue * 100), 0) / 100;

const Report = ({ sales, period }: { sales: readonly PeriodSales[]; period: Period }) => {
  const [first, last] = [sales[0], sales.at(-1)];
  const span = { from: first?.from ?? '', to: last?.to ?? '' };
  const spanBefore = span.from && timeBefore(span, period, shopToday());
  const before = useQuery({
    ...salesQuery({ by: period, ...(spanBefore || newest) }),
    enabled: spanBefore !== '',
  });
  const orders = sales.reduce((sum, item) => sum + item.orders, 0);
  const revenue = revenueOf(sales);
  if (!spanBefore) return <p>No day is in this time.</p>;
  return (
    <>
      <Figures
        label="In all"
        figures={{
          [`Revenue, ${spanName(span)}`]: formatPrice(revenue),
          Orders: orders.toLocaleString('en'),
          'Average order': orders === 0 ? '–' : formatPrice(revenue / orders),
          [`Previous, ${spanName(spanBefore)}`]: before.data ? formatPrice(revenueOf(before.data)) : '…',
        }}
      />
      {revenue > 0 && <SalesChart sales={sales} before={before.data ?? []} period={period} />}
      <div className={styles.tables}>
        <section>
          <h2>Best sellers</h2>
          <BestSellers {...span} />
        </section>
        <section>
          <h2>{tableNames[period]}</h2>
          <ResponsiveTable
            label={tableNames[period]}
            columns={columnsOf(period)}
            rows={sales.toReversed()}
            keyOf={firstDayOf}
            whenNarrow="compact rows"
            listId={`${span.from} ${span.to} ${period}`}
          />
        </section>
      </div>
    </>
  );
};

const tableNames: Record<Period, string> = { day: 'Daily', week: 'Weekly', month: 'Monthly' };
const firstDayOf = ({ from }: PeriodSales): string => from;

const columnsOf = (period: Period): Column<PeriodSales>[] => [
  { heading: 'Time', kind: 'title', cell: (sales) => periodName(sales, period) },
  ordersColumn,
  revenueColumn,
];
