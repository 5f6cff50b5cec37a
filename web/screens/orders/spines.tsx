import type { CSSProperties } from 'react';
import { coverWords } from '../../../contract/cover-title.ts';
import { drawCover, drawingOf } from '../../../contract/drawn-cover.ts';
import type { Order } from '../../../contract/order.ts';
import { isKept } from './order-state.tsx';
import styles from './spines.module.css';

/** The most books: a shelf has no room for more. */
const maxSpines = 60;

/**
 * The customer's books as spines on a shelf, each in the colour of its cover, the newest first. It is only a picture: the table below has
 * the same books. The style sheet writes the titles, as on drawn covers.
 */
export const Spines = ({ orders }: { orders: readonly Order[] }) => {
  const shelf = orders.filter(isKept).slice(0, maxSpines);
  if (shelf.length === 0) return null;
  return (
    <div className={styles.shelf} aria-hidden="true" data-no-print>
      {shelf.map((order) => {
        const colour = order.coverColour ?? drawCover(drawingOf(order.bookId)).ground;
        return (
          <span
            key={order._id}
            className="cut"
            // Browsers let a curly apostrophe stand upright, between two gaps.
            data-title={coverWords(order).title.replaceAll('’', "'")}
            style={{ '--colour': colour } as CSSProperties}
          />
        );
      })}
    </div>
  );
};
