/** The store's icons, all drawn from the one in `web/public/favicon.svg`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { iconFile } from './icon-file.ts';

export const publicFolder = join(import.meta.dirname, '..', '..', 'web', 'public');

/** The rounded tile: a square of 32 units, with an open book in lines. */
const tile = readFileSync(join(publicFolder, 'favicon.svg'), 'utf8');
/** An icon that systems cut to their own shape. The book is within the circle that all shapes contain. */
const square = replaceOnce(tile, ' rx="6"', '');
const emblem = /<g [\s\S]*<\/g>/.exec(tile)?.[0] ?? '';

/** The picture that other sites show beside a link to the store: the book, stamped on a cloth binding. In pixels. */
const binding = { width: 1200, height: 630 };
const share = `
<svg xmlns="http://www.w3.org/2000/svg" width="${binding.width}" height="${binding.height}">
  <rect width="100%" height="100%" fill="#7a1f2b" />
  <rect width="52" height="100%" fill="#5c1420" />
  <g fill="none" stroke="#faf9f6">
    <rect x="88" y="36" width="1076" height="558" stroke-width="3" opacity="0.55" />
    <rect x="100" y="48" width="1052" height="534" stroke-width="1" opacity="0.55" />
  </g>
  <g transform="translate(354 38.75) scale(17)">${replaceOnce(emblem, 'stroke-width="2"', 'stroke-width="0.7"')}</g>
</svg>`;

const unitsPerTile = 32;
/** At this density a unit of an SVG document is a pixel. */
const pixelsPerInch = 72;

const drawTile = (svg: string, width: number): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: (pixelsPerInch * width) / unitsPerTile })
    .resize(width, width)
    .png({ compressionLevel: 9 })
    .toBuffer();

/** Draws each file, by its name in `web/public`. */
export const drawings: Readonly<Record<string, () => Promise<Buffer>>> = {
  'favicon.ico': async () => iconFile(await Promise.all([16, 32, 48].map((width) => drawTile(tile, width)))),
  // iOS cuts its own corners, and shows transparent ones in black.
  'apple-touch-icon.png': () => drawTile(square, 180),
  'icon-192.png': () => drawTile(tile, 192),
  'icon-512.png': () => drawTile(tile, 512),
  'icon-maskable-512.png': () => drawTile(square, 512),
  'share.png': () => sharp(Buffer.from(share)).flatten().png({ compressionLevel: 9 }).toBuffer(),
};

function replaceOnce(text: string, part: string, replacement: string): string {
  if (text.split(part).length !== 2) throw new Error(`favicon.svg does not have ${part} once`);
  return text.replace(part, replacement);
}
