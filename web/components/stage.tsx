import type { BookInStock } from '../../contract/book.ts';
import { drawCover, drawingOf, hueOf } from '../../contract/drawn-cover.ts';
import { Cover, type CoveredBook } from './cover.tsx';
import styles from './stage.module.css';

/**
 * The cover on a tint of its colour: that of the picture, or that of the drawing in its place. The colour is an attribute of a
 * drawing, because the policy of the page allows no styles of elements.
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
