import { drawCover, drawingOf } from '../../../contract/drawn-cover.ts';
import type { Order } from '../../../contract/order.ts';
import { Drawing } from '../../components/cover.tsx';
import { longDayText } from '../../components/days.ts';
import styles from './bookplate.module.css';

/** The lower part of a sheet, where a drawing has its figures. */
const vignette = '0 168 200 126';

/** In characters: a longer name has smaller letters. */
const longName = 26;

/**
 * A plate to glue into the book, which says whose it is. Its vignette is the book's own. The style sheet writes the words: beside it
 * stands the same.
 */
export const Bookplate = ({ order, name }: { order: Order; name: string }) => {
  const drawn = drawCover(drawingOf(order.bookId));
  return (
    <div className={styles.plate} role="img" aria-label={`Bookplate: Ex libris ${name}`}>
      <span className={styles.exLibris} data-text="Ex libris" />
      <Drawing drawn={drawn} part={vignette} />
      <span
        className={styles.name}
        dir="auto"
        data-is-long={name.length > longName || undefined}
        data-text={name}
      />
      <span className={styles.book} dir="auto" data-text={order.title} />
      <span className={styles.day} data-text={longDayText(new Date(order.placedAt))} />
    </div>
  );
};
