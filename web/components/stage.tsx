import type { BookInStock } from '../../contract/book.ts';
import { drawCover, drawingOf, hueOf } from '../../contract/drawn-cover.ts';
import { Cover, type CoveredBook } from './cover.tsx';
import styles from './stage.module.css';

/**
 * A cover on a tinted background. The tint comes from the picture's colour, or from that of the drawn cover. The colour is an attribute of
 * a drawing, because the page's policy allows no inline styles.
 */
export const Stage = ({ book }: { book: CoveredBook & Pick<BookInStock, 'coverColour'> }) => (
  <div className={`frame ${styles.stage}`}>
    <svg
      aria-hidden="true"
      color={hueOf(book.coverColour ?? drawCover(drawingOf(book._id)).ground)}
      data-no-print
    />
    <div className={styles.cover}>
      <Cover book={book} isEager isFirst size="large" />
    </div>
  </div>
);
