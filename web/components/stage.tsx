import type { BookInStock } from '../../contract/book.ts';
import { drawCover, drawingOf, hueOf } from '../../contract/drawn-cover.ts';
import { Cover, type CoveredBook } from './cover.tsx';
import styles from './stage.module.css';

type StageProps = { book: CoveredBook & Pick<BookInStock, 'coverColour'> };

/**
 * The tinted ground of the part of a screen that is about one book. The tint comes from the picture's colour, or from that of the drawn
 * cover. The colour is an attribute of a drawing, because the page's policy allows no inline styles.
 */
export const Tint = ({ book }: StageProps) => (
  <svg
    aria-hidden="true"
    className={styles.tint}
    color={hueOf(book.coverColour ?? drawCover(drawingOf(book._id)).ground)}
    data-no-print
  />
);

/** A cover on a tinted ground. */
export const Stage = ({ book }: StageProps) => (
  <div className="frame">
    <Tint book={book} />
    <div className={styles.cover}>
      <Cover book={book} isEager isFirst size="large" />
    </div>
  </div>
);
