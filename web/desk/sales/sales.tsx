import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Sales as PeriodSales } from '../../../contract/desk/sales.ts';
import { formatPrice } from '../../../contract/price.ts';
import { salesQuery } from '../../api/desk-queries.ts';
import { Loading } from '../../components/loading.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { Figures } from '../figures.tsx';
import { ChoiceFilter, DayFilters, FilterBar } from '../filters.tsx';
import { useFilters, wrongDay } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';
import { BestSellers, ordersColumn, revenueColumn } from './best-sellers.tsx';
import { lastDayOf, type Period, periodName } from './periods.ts';
import styles from './sales.module.css';
import { SalesChart } from './sales-chart.tsx';

const filterNames = ['by', 'from', 'to'] as const;
const byNames = { '': 'Day', week: 'Week', month: 'Month' };

const periodIn = (by: string): Period => (by === 'week' || by === 'month' ? by : 'day');

/** Orders and revenue by day, week or month, and the best sellers of the same time. */
export const Sales = () => {
  const { filters, change } = useFilters(filterNames);
  const period = periodIn(filters.by);
  const query = { ...filters, by: period };
  const sales = useQuery({ ...salesQuery(query), placeholderData: keepPreviousData });
  return (
    <>
      <ViewHead
        name="Sales"
        about="What buyers paid, without withdrawn orders. Days are in UTC, and a week begins on Monday."
      />
      <FilterBar
        label="Choose the time"
        main={
          <ChoiceFilter label="By" value={filters.by} onChange={(by) => change({ by })} choices={byNames} />
        }
        values={[filters.from, filters.to]}
        error={sales.error}
      >
        <DayFilters filters={filters} change={change} error={sales.error} />
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
const guessPeriod = ([first, second]: readonly PeriodSales[]): Period => {
  if (!first || !second) return 'day';
  const days = (Date.parse(second.from) - Date.parse(first.from)) / (24 * 60 * 60 * 1000);
  if (days === 1) return 'day';
  return days === 7 ? 'week' : 'month';
};

const Report = ({ sales, period }: { sales: readonly PeriodSales[]; period: Period }) => {
  const orders = sales.reduce((sum, item) => sum + item.orders, 0);
  // In cents, whose sums are exact.
  const revenue = sales.reduce((sum, item) => sum + Math.round(item.revenue * 100), 0) / 100;
  const [first, last] = [sales[0], sales.at(-1)];
  if (!first || !last) return <p>No day is in this time.</p>;
  return (
    <>
      <Figures
        label="In all"
        figures={{
          Revenue: formatPrice(revenue),
          Orders: orders.toLocaleString('en'),
          'Average order': orders === 0 ? '–' : formatPrice(revenue / orders),
        }}
      />
      {revenue > 0 && <SalesChart sales={sales} period={period} />}
      <div className={styles.tables}>
        <section>
          <h2>Best sellers</h2>
          <BestSellers from={first.from} to={lastDayOf(last.from, period)} />
        </section>
        <section>
          <h2>{tableNames[period]}</h2>
          <ResponsiveTable
            label={tableNames[period]}
            columns={columnsOf(period)}
            rows={sales.toReversed()}
            keyOf={firstDayOf}
            whenNarrow="compact rows"
            listId={`${first.from} ${last.from} ${period}`}
          />
        </section>
      </div>
    </>
  );
};

const tableNames: Record<Period, string> = { day: 'By day', week: 'By week', month: 'By month' };
const firstDayOf = ({ from }: PeriodSales): string => from;

const columnsOf = (period: Period): Column<PeriodSales>[] => [
  { heading: 'Time', kind: 'title', cell: ({ from }) => periodName(from, period) },
  ordersColumn,
  revenueColumn,
];
