import type { Money } from '../../contract/price.ts';
import type { BookVersion } from '../catalogue/books.ts';
import { drawnCoverPath } from '../images/cards.ts';
import type { DrawnBook } from '../images/image-worker.ts';

export type StoreOnPages = { name: string; publicUrl: URL; imageOrigin: string; money: Money };

/** @returns the absolute address of the cover; a book without a picture has a cover drawn by the store. */
export function coverOf(book: DrawnBook & Pick<BookVersion, 'image'>, { imageOrigin }: StoreOnPages): string {
  const hasOwn = book.image !== '' && URL.canParse(book.image, imageOrigin);
  return new URL(hasOwn ? book.image : drawnCoverPath(book), imageOrigin).href;
}

export const addressOf = ({ publicUrl }: StoreOnPages, path: string): string => new URL(path, publicUrl).href;
