/** `npm run covers`: draws the covers of the demo books, and writes them to the folder that the demo reads. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type ImageWidth, imageWidths } from '../../contract/image-widths.ts';
import { demoBooks } from '../../server/demo/books.ts';
import { coverFile, coversFolder } from '../../server/demo/catalogue.ts';
import { readOptions } from '../../tools/options.ts';
import { coverWidth, drawCover } from './cover.ts';

readOptions(
  'npm run covers',
  'Draws the covers of the demo books and replaces the files in server/demo/covers.',
  {},
);

/** At this density a unit of an SVG document is a pixel. */
const pixelsPerInch = 72;

/** @returns the drawing as WebP with this width in pixels. */
async function render(svg: string, width: ImageWidth): Promise<Buffer> {
  // A cover has few colours. With sixteen of them and without loss, a file has less than half the size of a lossy one,
  // and the letters are sharper. Dithering would need more bytes and be visible in plain areas.
  const drawn = await sharp(Buffer.from(svg), { density: (pixelsPerInch * width) / coverWidth })
    .flatten()
    .png({ palette: true, colours: 16, dither: 0 })
    .toBuffer();
  return sharp(drawn).webp({ lossless: true, effort: 6 }).toBuffer();
}

async function drawCovers(): Promise<void> {
  let bytes = 0;
  await rm(coversFolder, { recursive: true, force: true });
  await mkdir(coversFolder);
  for (const book of demoBooks) {
    const svg = drawCover(book);
    for (const width of imageWidths) {
      const image = await render(svg, width);
      await writeFile(coverFile(book, width), image);
      bytes += image.length;
    }
  }
  process.stdout.write(`${demoBooks.length} covers, ${(bytes / 1e6).toFixed(1)} MB\n`);
}

await drawCovers();
