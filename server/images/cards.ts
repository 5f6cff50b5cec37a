/**
 * The card of a book, for previews of links: its cover on a shelf, 1200 by 630. It has no words, as the server has no fonts, and
 * those who show it write the title beside it.
 */

import { createHash } from 'node:crypto';
import { drawCover, drawingOf, hueOf, mix } from '../../contract/drawn-cover.ts';
import { imageIdIn } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import type { BookVersion } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { drawingIn } from './drawn-covers.ts';
import type { Card, ImageWorker, Place } from './image-worker.ts';
import { findRendition } from './images.ts';
import { limitConcurrency } from './limit-concurrency.ts';

const cardSize = { width: 1200, height: 630 };
const white = '#ffffff';
/** The top of the shelf's board, and the room above it for a cover. */
const shelf = { top: 574, room: { width: 800, height: 500 } };

type BookOfCard = Pick<BookVersion, 'id' | 'image' | 'coverColour'>;

/** A hash of all that a card shows. Its number changes by hand, with the way a card is drawn. */
const versionOf = ({ image, coverColour }: BookOfCard): string =>
  createHash('sha256')
    .update(`1 ${imageIdIn(image) ?? ''} ${coverColour}`)
    .digest('hex')
    .slice(0, 8);

/** The address of a book's card. Another card has another address. */
export const cardPath = (book: BookOfCard): string => paths.card(`${book.id}-${versionOf(book)}.jpg`);

/** The address of a book's card for what is written once, such as mail: it leads to the card of that day. */
export const cardPathOfAnyDay = (id: string): string => paths.card(`${id}-00000000.jpg`);

/** @returns the book's id in a file name of {@link cardPath}; undefined for any other name. */
export const bookOfCardIn = (file: string): string | undefined => /^(.+)-[0-9a-f]{8}\.jpg$/.exec(file)?.[1];

/** The most cards in memory. A card has 20 to 90 KB. */
const maxKept = 300;
/** The most cards that wait: a client cannot make the store draw more. One is made at a time, which leaves a process to uploads. */
const maxWaiting = 8;

/**
 * @returns a function that finds a book's card as JPEG. Each is made once, and stays in memory while others are not asked for.
 * @throws {Problem} BUSY while too many wait to be made.
 */
export function openCards(db: Db, worker: ImageWorker): (book: BookOfCard) => Promise<Uint8Array> {
  const kept = new Map<string, Promise<Uint8Array>>();
  const inTurn = limitConcurrency(1);
  return (book) => {
    const name = cardPath(book);
    const known = kept.get(name);
    if (!known && inTurn.usage().waiting >= maxWaiting) throw new Problem('BUSY');
    const card = known ?? inTurn.run(async () => await worker.drawCard(await cardOf(db, book)));
    // Moved to the end: the one that was asked for longest ago is removed first.
    kept.delete(name);
    kept.set(name, card);
    const [oldest = name] = kept.keys();
    if (kept.size > maxKept) kept.delete(oldest);
    // After a failure it is made again.
    card.catch(() => kept.delete(name));
    return card;
  };
}

async function cardOf(db: Db, { id, image, coverColour }: BookOfCard): Promise<Card> {
  const imageId = imageIdIn(image);
  const picture = imageId && (await findRendition(db, imageId, 480));
  const size =
    picture &&
    (await db.selectFrom('images').select(['width', 'height']).where('id', '=', imageId).executeTakeFirst());
  const drawn = drawCover(drawingOf(id));
  const place = placeOf(size || { width: 2, height: 3 });
  const cover = size
    ? ''
    : `<svg x="${place.left}" y="${place.top}" width="${place.width}" height="${place.height}" viewBox="0 0 200 300">${drawingIn(drawn)}</svg>`;
  return {
    svg: groundOf(hueOf(coverColour ?? drawn.ground), place, cover),
    picture: size ? picture : undefined,
    place,
  };
}

/** @returns where a picture of this shape stands: as large as there is room, in the middle of the shelf. */
function placeOf({ width, height }: { width: number; height: number }): Place {
  const scale = Math.min(shelf.room.width / width, shelf.room.height / height);
  const shown = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return { ...shown, left: Math.round((cardSize.width - shown.width) / 2), top: shelf.top - shown.height };
}

/** @param cover SVG, for a cover that is no picture. */
const groundOf = (hue: string, { left, top, width, height }: Place, cover: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}">
<filter id="shadow" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="14"/></filter>
<path d="M0 0h1200v630H0z" fill="${mix(hue, white, 0.76)}"/>
<rect x="${left + 6}" y="${top + 16}" width="${width}" height="${height - 16}" fill="#1f1b18" fill-opacity="0.4" filter="url(#shadow)"/>
<path d="M0 ${shelf.top}h1200v56H0z" fill="${mix(hue, white, 0.5)}"/>
<path d="M0 ${shelf.top}h1200v3H0z" fill="${mix(hue, white, 0.3)}"/>${cover}</svg>`;
