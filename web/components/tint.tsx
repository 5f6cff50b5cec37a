import type { BookInStock } from '../../contract/book.ts';
import { drawCover, drawingOf, hueOf } from '../../contract/drawn-cover.ts';
import styles from './tint.module.css';

/**
 * The tinted ground of the part of a screen that is about one book. The tint comes from the picture's colour, or from that of the drawn
 * cover. The colour is an attribute of a drawing, because the page's policy allows no inline styles.
 */
export const Tint = ({ book }: { book: Pick<BookInStock, '_id' | 'coverColour'> }) => (
  <svg
    aria-hidden="true"
    className={styles.tint}
    color={hueOf(book.coverColour ?? drawCover(drawingOf(book._id)).ground)}
    data-no-print
  />
);
