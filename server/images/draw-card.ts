/** Draws the card of a book, and the cover of a book without a picture, with their words. Only the image workers import it. */

import sharp, { type OverlayOptions } from 'sharp';
import { coverWords, setTitle, titleSizes } from '../../contract/cover-title.ts';
import {
  type DrawnCover,
  drawCover,
  drawingOf,
  hueOf,
  type Layer,
  type Layout,
  layouts,
  mix,
} from '../../contract/drawn-cover.ts';
import type { Card, DrawnBook } from './image-worker.ts';
import { setColumn } from './set-words.ts';

type Place = { left: number; top: number; width: number; height: number };

const cardSize = { width: 1200, height: 630 };
const white = '#ffffff';
const ink = '#1f1b18';
/** `top`: where the board of the shelf begins. The other numbers are the room above it for a cover, beside words (up to `right`) or alone. */
const shelf = { top: 574, height: 500, left: 96, widthBeside: 440, widthAlone: 800, gap: 68, right: 1124 };

/** A card is a JPEG, which every program that previews links accepts. */
export async function drawCard({ book, picture, colour, storeName }: Card): Promise<Uint8Array> {
  const drawn = drawCover(drawingOf(book.id));
  const shape = picture ? await sharp(picture).metadata() : { width: 2, height: 3 };
  const beside = placeOf(shape, shelf.widthBeside);
  const words = await setWordsBeside(book, storeName, beside);
  const place = words.length > 0 ? beside : placeOf(shape, shelf.widthAlone);
  const { width, height } = place;
  const input = picture && (await sharp(picture).resize(width, height, { fit: 'fill' }).png().toBuffer());
  const cover = input ? [{ ...place, input }] : await setWordsOn(drawn, book, place);
  const ground = shelfWith(hueOf(colour ?? drawn.ground), place, picture ? '' : svgOf(drawn, place));
  return await sharp(Buffer.from(ground))
    .composite([...cover, ...words])
    .flatten()
    .jpeg({ quality: 84, chromaSubsampling: '4:4:4', mozjpeg: true })
    .toBuffer();
}

export async function drawCoverOf(book: DrawnBook): Promise<Uint8Array> {
  const drawn = drawCover(drawingOf(book.id));
  const place = { left: 0, top: 0, width: 480, height: 720 };
  return await sharp(Buffer.from(svgOf(drawn, place)))
    .composite(await setWordsOn(drawn, book, place))
    .webp({ quality: 84, effort: 2 })
    .toBuffer();
}

/** @returns where a cover of this shape stands on the shelf: as large as possible; in the middle if it is alone. */
function placeOf({ width, height }: { width: number; height: number }, room: number): Place {
  const scale = Math.min(room / width, shelf.height / height);
  const shown = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const left = room === shelf.widthAlone ? Math.round((cardSize.width - shown.width) / 2) : shelf.left;
  return { ...shown, left, top: shelf.top - shown.height };
}

/** @returns title and author on the wall, and the shop's name on the board; nothing if the font lacks letters of the title. */
async function setWordsBeside(book: DrawnBook, storeName: string, cover: Place): Promise<OverlayOptions[]> {
  const { series, title, subtitle, author } = coverWords(book);
  const left = cover.left + cover.width + shelf.gap;
  const column = { left, width: shelf.right - left, isMiddle: true, colour: ink };
  const wall = { ...column, top: shelf.top - shelf.height, height: shelf.height - 30, gap: 16 };
  const words = await setColumn(wall, [
    { text: title, size: 84, maxLines: 5, isTitle: true },
    { text: series || subtitle, size: 30, maxLines: 2 },
    { text: author, size: 34, maxLines: 2 },
  ]);
  if (words.length === 0) return [];
  const board = { ...column, top: shelf.top + 2, height: cardSize.height - shelf.top, gap: 0 };
  return [...words, ...(await setColumn(board, [{ text: storeName, size: 24, maxLines: 1 }]))];
}

/** The places of words in cover.module.css, in hundredths of the cover's width; `end`: where the last words of a title page end. */
const places: Readonly<Record<Layout, { left: number; top: number; gap: number; end?: number }>> = {
  label: { left: 22, top: 26, gap: 1.5 },
  band: { left: 8, top: 48, gap: 2.5 },
  top: { left: 9, top: 10.5, gap: 2.5 },
  page: { left: 21, top: 25.5, gap: 2.5, end: 129 },
};
const typeColours = { pale: '#fbf3e4', dark: '#231a15' };

async function setWordsOn(
  { layout, isDark }: DrawnCover,
  book: DrawnBook,
  cover: Place,
): Promise<OverlayOptions[]> {
  const unit = cover.width / 100;
  const { left, top, gap, end } = places[layout];
  const { width, height } = layouts[layout];
  const words = coverWords(book);
  const { size } = setTitle(words, layouts[layout], false);
  const onSheet = layout === 'top' || layout === 'page';
  const small = { size: 5.4 * unit, maxLines: 2 };
  const column = {
    left: cover.left + left * unit,
    top: cover.top + top * unit,
    width: width * unit,
    height: height * unit,
    ...(end && { fullHeight: (end - top) * unit }),
    isCentred: layout !== 'top',
    isMiddle: layout === 'label' || layout === 'band',
    colour: isDark && onSheet ? typeColours.pale : typeColours.dark,
    gap: gap * unit,
  };
  return await setColumn(column, [
    { ...small, text: words.series },
    { text: words.title, size: (titleSizes[size] ?? 6) * unit, maxLines: 5, isTitle: true },
    { ...small, text: words.subtitle },
    { text: words.author, size: 6.2 * unit, maxLines: 2, isAtEnd: end !== undefined },
  ]);
}

const svgOf = ({ ground, layers }: DrawnCover, { left, top, width, height }: Place): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" x="${left}" y="${top}" width="${width}" height="${height}" viewBox="0 0 200 300">
<path d="M0 0h200v300H0z" fill="${ground}"/>${layers.map(pathOf).join('')}</svg>`;

const pathOf = ({ d, colour, width, dash = 'none', isRound }: Layer): string =>
  width
    ? `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash}" stroke-linecap="${isRound ? 'round' : 'butt'}"/>`
    : `<path d="${d}" fill="${colour}"/>`;

const shelfWith = (hue: string, { left, top, width, height }: Place, cover: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}">
<filter id="shadow" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="14"/></filter>
<path d="M0 0h1200v630H0z" fill="${mix(hue, white, 0.76)}"/>
<rect x="${left + 6}" y="${top + 16}" width="${width}" height="${height - 16}" fill="${ink}" fill-opacity="0.4" filter="url(#shadow)"/>
<path d="M0 ${shelf.top}h1200v56H0z" fill="${mix(hue, white, 0.5)}"/>
<path d="M0 ${shelf.top}h1200v3H0z" fill="${mix(hue, white, 0.3)}"/>${cover}</svg>`;
