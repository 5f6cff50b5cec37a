import type { CSSProperties } from 'react';
import { coverWords } from '../../../contract/cover-title.ts';
import { drawCover, drawingOf, hueOf, mix } from '../../../contract/drawn-cover.ts';
import type { Order } from '../../../contract/order.ts';
import { longDays } from '../../components/days.ts';
import styles from './order-pictures.module.css';
import { isKept } from './order-state.tsx';

/** The colour of the cover. */
const colourOf = ({ coverColour, bookId }: Order): string =>
  coverColour ?? drawCover(drawingOf(bookId)).ground;

/** The plate shows a sun that rises from an open book. */
const emblem = 'M44 27a16 16 0 0 1 32 0zM58 70Q36 61 8 65V33q28-4 50 6zM62 70q22-9 50-5V33q-28-4-50 6z';
/** The arc is as long as thirteen dashes with twelve gaps between them. */
const rays = { d: 'M28 27a32 32 0 0 1 64 0', strokeWidth: 12, strokeDasharray: '2.4 5.78' };

/** A bookplate that names the book's owner, in the colour of the cover. It is only a picture: the text beside it says the same. */
export const Bookplate = ({ order, name }: { order: Order; name: string }) => (
  <div className={styles.plate} role="img" aria-label={`Bookplate: Ex libris ${name}`}>
    <div>
      <p>Ex libris</p>
      <svg aria-hidden="true" viewBox="0 0 120 72" color={mix(hueOf(colourOf(order)), '#231a15', 0.35)}>
        <path fill="none" stroke="currentcolor" {...rays} />
        <path fill="currentcolor" d={emblem} />
      </svg>
      <p className={`clamp ${styles.name}`} dir="auto">
        {name}
      </p>
      <p className={`clamp ${styles.title}`} dir="auto">
        {order.title}
      </p>
      <p className={styles.day}>{longDays.format(new Date(order.placedAt))}</p>
    </div>
  </div>
);

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
      {shelf.map((order) => (
        <span
          key={order._id}
          className="cut"
          // Browsers let a curly apostrophe stand upright, between two gaps.
          data-title={coverWords(order).title.replaceAll('’', "'")}
          style={{ '--colour': colourOf(order) } as CSSProperties}
        />
      ))}
    </div>
  );
};
