import { type CSSProperties, type PointerEvent, useState } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { Sales } from '../../../contract/desk/sales.ts';
import { formatPrice } from '../../../contract/price.ts';
import { axisTop, type Period, periodName, shortName } from './periods.ts';
import styles from './sales-chart.module.css';

type SalesChartProps = {
  sales: readonly Sales[];
  /** The sales of the time before, in the same order. */
  before: readonly Sales[];
  period: Period;
};

/** Lengths are in units of the drawing, which is stretched to the width of the page. */
const barSlot = 10;
/** The bars of the time before are wider, so that they show on both sides of the others. */
const spacedBarWidth = { now: 6, before: 9 };
/** On a phone the gaps between more bars would be thinner than a point of the screen, and turn the bars pale. */
const maxSpacedBars = 60;
const height = 100;

/**
 * The revenue as bars, and that of the time before as pale ones behind them. Plain SVG: a library of charts would be the largest part of
 * the desk. A slider lies over the bars, without a look of its own: pointers, fingers and arrow keys choose the bar whose figures stand
 * below.
 */
export const SalesChart = ({ sales, before, period }: SalesChartProps) => {
  const [chosen, setChosen] = useState(sales.length - 1);
  const index = Math.min(chosen, sales.length - 1);
  const top = axisTop(Math.max(...[...sales, ...before].map(({ revenue }) => revenue)));
  const [first, last] = [sales[0], sales.at(-1)];
  const [middle, current] = [sales[Math.floor((sales.length - 1) / 2)], sales[index]];
  if (!first || !last || !middle || !current) return null;
  const hasYear = first.from.slice(0, 4) !== last.from.slice(0, 4);
  const nameOf = ({ from }: Sales) => shortName(from, period, hasYear);
  const isDense = sales.length > maxSpacedBars;
  const bar = (place: number, revenue: number, time: 'now' | 'before', className: string | undefined) => {
    const width = isDense ? barSlot : spacedBarWidth[time];
    return (
      <rect
        key={`${place} ${time}`}
        className={className}
        x={place * barSlot + (barSlot - width) / 2}
        y={height - (revenue / top) * height}
        width={width}
        height={(revenue / top) * height}
        shapeRendering={isDense ? 'crispEdges' : undefined}
      />
    );
  };
  const look = ({ buttons, clientX, currentTarget }: PointerEvent) => {
    // The slider itself follows one that is pressed.
    if (buttons !== 0) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.max(0, Math.min(sales.length - 1, Math.floor(((clientX - left) / width) * sales.length))));
  };
  return (
    <div className={styles.chart}>
      <div className={styles.scale} aria-hidden="true">
        <span>{wholePrice(top)}</span>
        <span>{wholePrice(top / 2)}</span>
        <span>$0</span>
      </div>
      <div className={styles.plot} style={{ '--bars': sales.length } as CSSProperties}>
        <svg
          className={styles.bars}
          viewBox={`0 0 ${sales.length * barSlot} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {[0, height / 2, height].map((y) => (
            <line key={y} className={styles.line} x1={0} x2={sales.length * barSlot} y1={y} y2={y} />
          ))}
          {before
            .slice(0, sales.length)
            .map(({ revenue }, place) => bar(place, revenue, 'before', styles.before))}
          {sales.map(({ revenue }, place) =>
            bar(place, revenue, 'now', `${styles.bar} ${place === index ? styles.isChosen : ''}`),
          )}
        </svg>
        <input
          type="range"
          className={styles.chooser}
          min={0}
          max={sales.length - 1}
          value={index}
          aria-label="Look at one bar"
          aria-valuetext={textOf(current, before[index], period)}
          onChange={({ target }) => setChosen(Number(target.value))}
          onPointerMove={look}
        />
      </div>
      <div className={styles.periods} aria-hidden="true">
        <span>{nameOf(first)}</span>
        {sales.length > 2 && <span>{nameOf(middle)}</span>}
        {sales.length > 1 && <span>{nameOf(last)}</span>}
      </div>
      <p className={styles.values} aria-hidden="true">
        {textOf(current, before[index], period)}
      </p>
    </div>
  );
};

const textOf = (sales: Sales, before: Sales | undefined, period: Period): string =>
  `${periodName(sales, period)}: ${figuresOf(sales)}${before ? `; before, ${periodName(before, period)}: ${figuresOf(before)}` : ''}`;

const figuresOf = ({ revenue, orders }: Sales): string =>
  `${formatPrice(revenue)}, ${counted(orders, 'order')}`;

/** @returns a price without cents where it has none. */
const wholePrice = (value: number): string => formatPrice(value).replace(/\.00$/, '');
