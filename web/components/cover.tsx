import { useState } from 'react';
import type { Book } from '../../contract/book.ts';
import { imageAddressAt, imageIdIn } from '../../contract/image-address.ts';
import { imageWidths } from '../../contract/image-widths.ts';
import { apiOrigin } from '../api/client.ts';
import styles from './cover.module.css';
import { placeholderColour } from './placeholder-colour.ts';

const placeholders = [
  styles.placeholder1,
  styles.placeholder2,
  styles.placeholder3,
  styles.placeholder4,
  styles.placeholder5,
  styles.placeholder6,
];

/** The width of a cover, for the browser's choice of a file. The heights are in cover.module.css. */
const sizes = { card: '10rem', large: 'clamp(6rem, 4rem + 9.4vw, 14rem)', small: '2rem' } as const;

type CoverProps = {
  book: Pick<Book, 'title' | 'author' | 'image'>;
  /** Load at once instead of when it is scrolled near. */
  isEager?: boolean;
  /** Load before everything else: one of the first things seen. */
  isFirst?: boolean;
  size?: keyof typeof sizes;
};

/** A book's cover. A book without an image, or whose image does not load, gets a placeholder: a plain cover with title and author. */
export const Cover = ({ book, isEager = false, isFirst = false, size = 'card' }: CoverProps) => {
  const [hasFailed, setHasFailed] = useState(false);
  const ownImage = imageIdIn(book.image);

  if (!book.image || hasFailed)
    return <PlaceholderCover title={book.title} author={book.author} size={size} />;
  return (
    <img
      className={`${styles.image} ${styles[size]}`}
      alt={`Cover of ${book.title}`}
      src={ownImage ? atTheStore(book.image) : book.image}
      {...(ownImage && { srcSet: srcSetOf(ownImage), sizes: sizes[size] })}
      width={160}
      height={240}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      referrerPolicy={ownImage ? undefined : 'no-referrer'}
      onError={() => setHasFailed(true)}
    />
  );
};

type PlaceholderProps = Pick<Book, 'title' | 'author'> & { size: keyof typeof sizes };

const PlaceholderCover = ({ title, author, size }: PlaceholderProps) => (
  <div
    className={`${styles.placeholder} ${placeholders[placeholderColour(title, placeholders.length)]} ${styles[size]}`}
    role="img"
    aria-label={`Cover of ${title}`}
  >
    {/* A small one has no room for words. */}
    {size !== 'small' && (
      <>
        <span className={styles.placeholderTitle} dir="auto">
          {title}
        </span>
        <span className={styles.placeholderAuthor} dir="auto">
          {author}
        </span>
      </>
    )}
  </div>
);

/** The room of a cover whose book is not known yet. */
export const CoverSpace = ({ size = 'card' }: Pick<CoverProps, 'size'>) => (
  <div className={`${styles.space} ${styles[size]}`} />
);

/** The store's images are on the API's origin, which can be another than the page's. */
const atTheStore = (path: string): string => new URL(path, apiOrigin).href;

const srcSetOf = (id: string): string =>
  imageWidths.map((width) => `${atTheStore(imageAddressAt(id, width))} ${width}w`).join(', ');
