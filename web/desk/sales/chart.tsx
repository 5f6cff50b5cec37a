import { counted } from '../../../contract/counted.ts';
import type { Sales } from '../../../contract/desk/sales.ts';
import { money } from '../../store-config.ts';
import styles from './chart.module.css';
import { periodName, spanName } from './periods.ts';

/** The most bars: on a phone the gaps between more bars would be thinner than a pixel, and make the bars look pale. */
const maxSpacedBars = 60;

/**
 * The revenue as bars; each shows its figures when it is pointed at. It is plain SVG: a library of charts would be the largest part of the
 * desk. Screen readers have the same figures in the table beside it.
 */
export const Chart = ({ sales }: { sales: readonly [Sales, ...Sales[]] }) => {
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
