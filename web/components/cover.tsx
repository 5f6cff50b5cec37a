import { useEffect, useRef, useState } from 'react';
import type { Book, BookInStock } from '../../contract/book.ts';
import { coverWords, initialOf, isUpright, setTitle, type TitledBook } from '../../contract/cover-title.ts';
import { drawCover, drawingOf, hueOf, type Layer, layouts } from '../../contract/drawn-cover.ts';
import { imageAddressAt, imageIdIn } from '../../contract/image-address.ts';
import { imageWidths } from '../../contract/image-widths.ts';
import { storeConfig } from '../store-config.ts';
import styles from './cover.module.css';

/** The width of a cover, by which the browser chooses a file. Style sheets set the heights. */
const sizes = {
  card: '10rem',
  listed: '(width < 60rem) 5rem, 10rem',
  large: 'clamp(12.5rem, 30vw, 22.5rem)',
  small: '2rem',
  row: '8.25rem',
  table: '(width < 40rem) 9rem, (width < 100rem) 14rem, 20rem',
} as const;

export type CoveredBook = TitledBook & Pick<Book, '_id' | 'image'>;

type CoverProps = {
  book: CoveredBook;
  /** True if the cover loads at once, and not when it is scrolled near. */
  isEager?: boolean;
  /** True if the cover loads before everything else: it is one of the first things that a visitor sees. */
  isFirst?: boolean;
  /** True if the link around the cover has the book's name. */
  isLabelled?: boolean;
  size?: keyof typeof sizes;
};

/** `bound`: a picture with the shape of a book, which has a hinge, as a drawn cover has. */
type Picture = 'awaited' | 'late' | 'shown' | 'bound' | 'failed';

/** The wait before a picture counts as late, so that few covers change their look. */
const lateAfterMs = 2_000;

/** A book's cover. The cover is drawn if the book has no picture, or if its picture is late or does not load. */
export const Cover = (props: CoverProps) => <CoverWith key={props.book.image} {...props} />;

const CoverWith = ({
  book,
  isEager = false,
  isFirst = false,
  isLabelled = false,
  size = 'card',
}: CoverProps) => {
  const [picture, setPicture] = useState<Picture>(book.image ? 'awaited' : 'failed');
  const image = useRef<HTMLImageElement>(null);
  const ownImage = imageIdIn(book.image);
  // A painted picture may have loaded before this code did.
  useEffect(() => {
    if (image.current?.complete) setPicture(pictureIn(image.current));
    const timer = setTimeout(() => setPicture((now) => (now === 'awaited' ? 'late' : now)), lateAfterMs);
    return () => clearTimeout(timer);
  }, []);

  return (
    <span className={`${styles.cover} ${styles[size] ?? ''}`} data-cover={picture}>
      {(picture === 'late' || picture === 'failed') && <DrawnCover book={book} />}
      {picture !== 'failed' && (
        <img
          ref={image}
          alt={isLabelled ? '' : `Cover of ${book.title}`}
          src={ownImage ? atTheStore(book.image) : book.image}
          {...(ownImage && { srcSet: srcSetOf(ownImage), sizes: sizes[size] })}
          width={160}
          height={240}
          loading={isEager ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding="async"
          referrerPolicy={ownImage ? undefined : 'no-referrer'}
          onLoad={({ currentTarget }) => setPicture(pictureIn(currentTarget))}
          onError={() => setPicture('failed')}
        />
      )}
    </span>
  );
};

const pictureIn = ({ naturalWidth, naturalHeight }: HTMLImageElement): Picture => {
  if (naturalWidth === 0) return 'failed';
  return Math.abs(naturalWidth / naturalHeight - 2 / 3) < 0.06 ? 'bound' : 'shown';
};

/**
 * The words on a drawn cover come from the style sheet, hidden from screen readers. The same words stand beside each cover, so the
 * browser's search, a selection and a program find them once.
 */
const DrawnCover = ({ book }: Pick<CoverProps, 'book'>) => {
  const { ground, layers, layout, isDark } = drawCover(drawingOf(book._id));
  const words = coverWords(book);
  const { title, series, subtitle, author } = words;
  const isOnPaper = layout === 'label' || layout === 'band';
  const mayBeVertical = layout === 'label' || layout === 'top';
  const { size, isVertical, isTall } = setTitle(words, layouts[layout], mayBeVertical);
  return (
    <>
      <svg aria-hidden="true" viewBox="0 0 200 300" color={ground}>
        {layers.map(drawLayer)}
      </svg>
      <span
        aria-hidden="true"
        className={`${styles.words} ${styles[layout]} ${isDark && !isOnPaper ? styles.pale : ''} ${isVertical ? styles.vertical : ''}`}
        data-size={size}
      >
        {series && <small className="clamp" data-text={series} />}
        <b
          className="clamp"
          data-text={title}
          data-initial={initialOf(title)}
          data-is-tall={isTall || undefined}
        />
        {subtitle && <small className="clamp" data-text={subtitle} />}
        <i className="clamp" data-text={author} data-is-upright={isUpright(author) || undefined} />
      </span>
    </>
  );
};

const drawLayer = ({ d, colour, width, dash, isRound }: Layer) => (
  <path
    key={d}
    d={d}
    fill={width ? 'none' : colour}
    stroke={width ? colour : undefined}
    strokeWidth={width || undefined}
    strokeDasharray={dash}
    strokeLinecap={isRound && 'round'}
  />
);

/** The store's images are on the API's origin, which may differ from the page's. */
const atTheStore = (path: string): string => storeConfig.apiHost + path;

const srcSetOf = (id: string): string =>
  imageWidths.map((width) => `${atTheStore(imageAddressAt(id, width))} ${width}w`).join(', ');

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
