import { drawCover, drawingOf, hueOf, mix } from '../../../contract/drawn-cover.ts';
import type { Order } from '../../../contract/order.ts';
import { longDayText } from '../../components/days.ts';
import styles from './bookplate.module.css';

/** The plate shows a sun that rises from an open book. */
const emblem = 'M44 27a16 16 0 0 1 32 0zM58 70Q36 61 8 65V33q28-4 50 6zM62 70q22-9 50-5V33q-28-4-50 6z';
/** The arc is as long as thirteen dashes with twelve gaps between them. */
const rays = { d: 'M28 27a32 32 0 0 1 64 0', strokeWidth: 12, strokeDasharray: '2.4 5.78' };

/** A bookplate that names the book's owner, in the colour of the cover. It is only a picture: the text beside it says the same. */
export const Bookplate = ({ order, name }: { order: Order; name: string }) => {
  const colour = order.coverColour ?? drawCover(drawingOf(order.bookId)).ground;
  return (
    <div className={styles.plate} role="img" aria-label={`Bookplate: Ex libris ${name}`}>
      <div>
        <p>Ex libris</p>
        <svg aria-hidden="true" viewBox="0 0 120 72" color={mix(hueOf(colour), '#231a15', 0.35)}>
          <path fill="none" stroke="currentcolor" {...rays} />
          <path fill="currentcolor" d={emblem} />
        </svg>
        <p className={`clamp ${styles.name}`} dir="auto">
          {name}
        </p>
        <p className={`clamp ${styles.title}`} dir="auto">
          {order.title}
        </p>
        <p className={styles.day}>{longDayText(new Date(order.placedAt))}</p>
      </div>
    </div>
  );
};
