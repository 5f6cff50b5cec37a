import type { Sales } from '../../../../contract/desk-sales.ts';
import { formatPrice } from '../../../components/price.tsx';
import { axisTop, type Period, periodName, shortName } from './periods.ts';
import styles from './sales-chart.module.css';

type SalesChartProps = { sales: readonly Sales[]; period: Period };

/** In the units of the drawing, which is stretched to the width of the page. */
const barSlot = 10;
const barWidth = 7;
const height = 100;

/**
 * The revenue as bars. Plain SVG: a library of charts would be the largest part of the desk, and none of its legends, scales and
 * animations has a use here. The table below has the same figures, so a screen reader is told of the table alone.
 */
export const SalesChart = ({ sales, period }: SalesChartProps) => {
  const top = axisTop(Math.max(...sales.map(({ revenue }) => revenue)));
  const [first, last] = [sales[0], sales.at(-1)];
  const middle = sales[Math.floor((sales.length - 1) / 2)];
  if (!first || !last || !middle) return null;
  return (
    <div className={styles.chart} aria-hidden="true">
      <div className={styles.scale}>
        <span>{wholePrice(top)}</span>
        <span>{wholePrice(top / 2)}</span>
        <span>$0</span>
      </div>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${sales.length * barSlot} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {[0, height / 2, height].map((y) => (
          <line key={y} className={styles.line} x1={0} x2={sales.length * barSlot} y1={y} y2={y} />
        ))}
        {sales.map(({ from, orders, revenue }, index) => {
          const barHeight = (revenue / top) * height;
          return (
            <g key={from}>
              <title>{`${periodName(from, period)}: ${formatPrice(revenue)}, ${orders} ${orders === 1 ? 'order' : 'orders'}`}</title>
              {/* The whole slot shows the figures, also above a low bar. */}
              <rect className={styles.slot} x={index * barSlot} y={0} width={barSlot} height={height} />
              <rect
                className={styles.bar}
                x={index * barSlot + (barSlot - barWidth) / 2}
                y={height - barHeight}
                width={barWidth}
                height={barHeight}
              />
            </g>
          );
        })}
      </svg>
      <div className={styles.periods}>
        <span>{shortName(first.from, period)}</span>
        {sales.length > 2 && <span>{shortName(middle.from, period)}</span>}
        {sales.length > 1 && <span>{shortName(last.from, period)}</span>}
      </div>
    </div>
  );
};

/** @returns a price without cents where it has none. */
const wholePrice = (value: number): string => formatPrice(value).replace(/\.00$/, '');
