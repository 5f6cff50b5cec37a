/** Turns what somebody uploaded into the store's own images: checked, upright, without metadata, in several widths. */

import limitConcurrency from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { imageWidths } from '../../contract/image-address.ts';
import { type ConvertedImage, UnreadableImageError } from './renditions.ts';

/**
 * The kinds that are taken, told by their first bytes, whatever the name or the type says. SVG is not among them: it can
 * carry scripts and addresses, and so is not even handed to the decoder.
 */
const signatures = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF.{4}WEBP/s,
  /^.{4}ftyp(?:avif|avis|mif1)/s, // AVIF
];

/** 40 megapixels, decoded, are 160 MB. */
const maxPixels = 40_000_000;
const timeoutSeconds = 20;

// Each image is seen once: a cache of decoded ones would only keep memory.
sharp.cache(false);
/** Two at a time: on more, decoded images would add up to more memory than the whole store takes otherwise. */
const inTurn = limitConcurrency(2);

/** @throws {UnreadableImageError} */
export const convertUpload = (bytes: Uint8Array): Promise<ConvertedImage> =>
  inTurn(async () => {
    const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
    if (!signatures.some((signature) => signature.test(start))) {
      throw new UnreadableImageError('this kind of file is not taken');
    }
    try {
      return await render(sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient());
    } catch (error) {
      throw new UnreadableImageError('the image could not be decoded', { cause: error });
    }
  });

/** Drawings are 800 units wide, at 72 to the inch: at this density they come out at the widest of the kept widths. */
const drawingDensity = (72 * 960) / 800;

/** Renders a drawing of the store's own. @param svg never anything that came from outside. */
export const renderDrawing = (svg: string): Promise<ConvertedImage> =>
  inTurn(() => render(sharp(Buffer.from(svg), { density: drawingDensity })));

async function render(image: Sharp): Promise<ConvertedImage> {
  // Decoded once, then narrowed: the smaller widths come from the widest, not from the upload.
  const widest = await image
    .timeout({ seconds: timeoutSeconds })
    .resize({ width: imageWidths.at(-1), height: 4 * 960, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = widest.info;
  const renditions = await Promise.all(
    imageWidths.map(async (width) => ({
      width,
      bytes: await sharp(widest.data, { raw: { width: widest.info.width, height, channels } })
        .resize({ width, withoutEnlargement: true })
        // Effort 4, the default, takes more than twice as long for 5 % fewer bytes.
        .webp({ quality: 80, effort: 2 })
        .toBuffer(),
    })),
  );
  return { width, height, renditions };
}
