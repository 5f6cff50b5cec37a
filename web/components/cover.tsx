import { useEffect, useState } from 'react';
import type { Book } from '../../contract/book.ts';
import { imageAddressAt, imageIdIn, imageWidths } from '../../contract/image-address.ts';
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

const secondLookMs = 4000;

type Sight = 'first look' | 'waiting' | 'second look' | 'none';

type CoverProps = {
  book: Pick<Book, 'title' | 'author' | 'image'>;
  /** Load at once, not only when it is scrolled near. */
  isEager?: boolean;
  /** Load before everything else: one of the first things seen. */
  isFirst?: boolean;
};

/** A book's cover, whole; a book without one, or whose image does not load, gets a plain cloth binding. */
export const Cover = ({ book, isEager = false, isFirst = false }: CoverProps) => {
  const [sight, setSight] = useState<Sight>(book.image ? 'first look' : 'none');
  const ownImage = imageIdIn(book.image);

  useEffect(() => {
    if (sight !== 'waiting') return;
    const timer = setTimeout(() => setSight('second look'), secondLookMs);
    return () => clearTimeout(timer);
  }, [sight]);

  if (sight === 'waiting' || sight === 'none')
    return <PlaceholderCover title={book.title} author={book.author} />;
  return (
    <img
      key={sight}
      className={styles.image}
      alt={`Cover of ${book.title}`}
      src={ownImage ? atTheStore(book.image) : book.image}
      {...(ownImage && { srcSet: srcSetOf(ownImage), sizes: '10rem' })}
      width={160}
      height={240}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      referrerPolicy={ownImage ? undefined : 'no-referrer'}
      // The store may still be drawing an image of its own.
      onError={() => setSight(ownImage && sight === 'first look' ? 'waiting' : 'none')}
    />
  );
};

const PlaceholderCover = ({ title, author }: Pick<Book, 'title' | 'author'>) => (
  <div
    className={`${styles.placeholder} ${placeholders[placeholderColour(title, placeholders.length)]}`}
    role="img"
    aria-label={`Cover of ${title}`}
  >
    <span className={styles.placeholderTitle} dir="auto">
      {title}
    </span>
    <span className={styles.placeholderAuthor} dir="auto">
      {author}
    </span>
  </div>
);

/** The store's images lie where its calls go, which need not be where the page came from. */
const atTheStore = (path: string): string => new URL(path, apiOrigin).href;

const srcSetOf = (id: string): string =>
  imageWidths.map((width) => `${atTheStore(imageAddressAt(id, width))} ${width}w`).join(', ');
