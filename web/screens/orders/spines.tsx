import { coverWords, isUpright } from '../../../contract/cover-title.ts';
import { drawCover, drawingOf } from '../../../contract/drawn-cover.ts';
import type { Order } from '../../../contract/order.ts';
import styles from './spines.module.css';

/** The newest; a shelf has no room for more. */
const maxSpines = 100;

/**
 * The customer's books as they stand on a shelf, each in the colour of its cover, the newest at the right end. A picture: the table
 * below has the same books.
 */
export const Spines = ({ orders, newId }: { orders: readonly Order[]; newId: string | undefined }) => {
  const shelf = orders
    .filter(({ state }) => state !== 'withdrawn')
    .slice(0, maxSpines)
    .reverse();
  if (shelf.length === 0) return null;
  return (
    <div className={styles.shelf} aria-hidden="true">
      {shelf.map((order) => (
        <Spine key={order._id} order={order} isNew={order._id === newId} />
      ))}
    </div>
  );
};

/** The style sheet writes its title, as those of drawn covers. */
const Spine = ({ order, isNew }: { order: Order; isNew: boolean }) => {
  const drawing = drawingOf(order.bookId);
  const colour = order.coverColour ?? drawCover(drawing).ground;
  const { title } = coverWords(order);
  return (
    <span
      className={styles.spine}
      data-size={drawing % sizes}
      data-is-pale={isPale(colour) || undefined}
      data-is-new={isNew || undefined}
      data-is-upright={isUpright(title) || undefined}
      data-is-long={title.length > longTitle || undefined}
      data-title={title}
      style={{ backgroundColor: colour }}
    />
  );
};

/** In characters: a longer one does not fit into two lines. */
const longTitle = 24;

/** Books of the same heights and widths stand on no shelf. */
const sizes = 7;

/** @returns whether dark type is read better than pale type on the colour, as `#rrggbb` (relative luminance, WCAG 2.2). */
const isPale = (colour: string): boolean => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
};
