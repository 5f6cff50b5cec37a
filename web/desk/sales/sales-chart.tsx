import { counted } from '../../../contract/counted.ts';
import type { Sales } from '../../../contract/desk/sales.ts';
import { formatPrice } from '../../../contract/price.ts';
import { axisTop, type Period, periodName, shortName } from './periods.ts';
import styles from './sales-chart.module.css';

type SalesChartProps = { sales: readonly Sales[]; period: Period };

/** In the units of the drawing, which is stretched to the width of the page. */
const barSlot = 10;
const spacedBarWidth = 7;
/** On a phone the gaps between more bars would be thinner than a point of the screen, and turn the bars pale. */
const maxSpacedBars = 60;
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
  const hasYear = first.from.slice(0, 4) !== last.from.slice(0, 4);
  const nameOf = ({ from }: Sales) => shortName(from, period, hasYear);
  const isDense = sales.length > maxSpacedBars;
  const barWidth = isDense ? barSlot : spacedBarWidth;
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
              <title>{`${periodName(from, period)}: ${formatPrice(revenue)}, ${counted(orders, 'order')}`}</title>
              {/* The whole slot shows the figures, also above a low bar. */}
              <rect className={styles.slot} x={index * barSlot} y={0} width={barSlot} height={height} />
              <rect
                className={styles.bar}
                x={index * barSlot + (barSlot - barWidth) / 2}
                y={height - barHeight}
                width={barWidth}
                height={barHeight}
                shapeRendering={isDense ? 'crispEdges' : undefined}
              />
            </g>
          );
        })}
      </svg>
      <div className={styles.periods}>
        <span>{nameOf(first)}</span>
        {sales.length > 2 && <span>{nameOf(middle)}</span>}
        {sales.length > 1 && <span>{nameOf(last)}</span>}
      </div>
    </div>
  );
};

/** @returns a price without cents where it has none. */
const wholePrice = (value: number): string => formatPrice(value).replace(/\.00$/, '');
