/** The pictures that the store draws of books: cards, for previews of links, and covers, for programs that show no drawing. */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { coverWords } from '../../contract/cover-title.ts';
import { imageIdIn } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { DrawnBook, ImageWorker } from './image-worker.ts';
import { findRendition } from './images.ts';
import { limitConcurrency } from './limit-concurrency.ts';

export type BookOfCard = DrawnBook & { image: string; coverColour: string | null };

/** The number is the version of the drawing. Increase it by hand when the drawing changes. */
const hashOfDrawing = (book: DrawnBook, ...shown: (string | null | undefined)[]): string =>
  hash('sha256', JSON.stringify([4, coverWords(book), ...shown]), 'hex').slice(0, 8);

/** The hash covers all that the card shows: a changed card has another address. */
export function cardPath(book: BookOfCard, storeName: string): string {
  const drawing = hashOfDrawing(book, imageIdIn(book.image), book.coverColour, storeName);
  return paths.card(`${book.id}-${drawing}.jpg`);
}

export const drawnCoverPath = (book: DrawnBook): string =>
  paths.card(`${book.id}-${hashOfDrawing(book)}.webp`);

/** The address of a book's card for texts that are not updated, such as mail: it leads to the card of that day. */
export const cardPathOfAnyDay = (id: string): string => paths.card(`${id}-00000000.jpg`);

export function readCardName(file: string): { id: string; isCover: boolean } | undefined {
  const [, id, ending] = /^(.+)-[0-9a-f]{8}\.(jpg|webp)$/.exec(file) ?? [];
  return id === undefined ? undefined : { id, isCover: ending === 'webp' };
}

/** A card has 20 to 90 KB, a cover less. */
const maxKept = 300;
/** The most cards that wait. They are drawn one at a time, a quarter of a second each, and a reader of the feed asks for 50 at once. */
const maxWaiting = 50;

export function openCards(db: Db, worker: ImageWorker, storeName: string) {
  const kept = new LRUCache<string, Promise<Uint8Array>>({ max: maxKept });
  const inTurn = limitConcurrency(1);
  const find = (path: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const known = kept.get(path);
    if (!known && inTurn.usage().waiting >= maxWaiting) throw new Problem('BUSY');
    const drawn = known ?? inTurn.run(draw);
    kept.set(path, drawn);
    drawn.catch(() => kept.delete(path));
    return drawn;
  };
  return {
    findCard: (book: BookOfCard) =>
      find(cardPath(book, storeName), async () => {
        const imageId = imageIdIn(book.image);
        const picture = imageId ? (await findRendition(db, imageId, 480))?.bytes : undefined;
        return await worker.drawCard({
          book,
          colour: book.coverColour,
          storeName,
          ...(picture && { picture }),
        });
      }),
    findCover: (book: DrawnBook) => find(drawnCoverPath(book), () => worker.drawCover(book)),
  };
}
