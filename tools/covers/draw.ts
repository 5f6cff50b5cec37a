/** `npm run covers`: draws the covers of the demo books and writes them where the demo reads them. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { type ImageWidth, imageWidths } from '../../contract/image-address.ts';
import { demoBooks } from '../../server/demo/books.ts';
import { coverFile, coversFolder } from '../../server/demo/catalogue.ts';
import { coverWidth, drawCover } from './cover.ts';

const usage = `Usage: npm run covers

Draws the covers of the books in server/demo/books.ts and writes them to server/demo/covers as WebP,
${imageWidths.join(', ')} pixels wide. The files that are there are replaced. Commit the result.

  -h, --help   shows this text
`;

/** At this density an SVG document's unit is a pixel. */
const pixelsPerInch = 72;

/** @returns the drawing as WebP of this width in pixels. */
async function render(svg: string, width: ImageWidth): Promise<Buffer> {
  // A cover has few flat colours. With sixteen of them and without loss it takes less than half the bytes that a lossy
  // image takes, and its letters are sharper. Dithering would cost bytes and show in the plain areas.
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

function readArguments(): { help: boolean } {
  try {
    const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } });
    return values;
  } catch (error) {
    // Node's message goes on with advice that does not apply here.
    const [fault = ''] = error instanceof Error ? error.message.split('. ') : [];
    process.stderr.write(`${fault}: \`npm run covers -- --help\` shows how to call this.\n`);
    process.exit(2);
  }
}

if (readArguments().help) process.stdout.write(usage);
else await drawCovers();
