/** Converts an uploaded file: checks it, turns it upright, drops its metadata, and encodes it as WebP at each width. */

import sharp, { type Sharp } from 'sharp';
import { imageWidths } from '../../contract/image-widths.ts';
import { dominantColour } from './dominant-colour.ts';
import { type ConvertedImage, UnreadableImageError } from './renditions.ts';

/**
 * The accepted formats, recognized by their first bytes and not by file name or content type. SVG is not accepted: it can
 * contain scripts and external addresses, so it never reaches the decoder.
 */
const signatures = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF.{4}WEBP/s,
  /^.{4}ftyp(?:avif|avis|mif1)/s, // AVIF
];

/** Their process then takes 100 to 330 MB as a rule, and 520 MB for an interlaced PNG of 16 bits, which is decoded as a whole. */
const maxPixels = 40_000_000;
/** An AVIF is decoded as a whole, in 18 bytes for each pixel: 510 MB. */
const maxAvifPixels = 24_000_000;
/** Decoder and resizing keep many rows at a time, so an image of few, very long rows would take gigabytes. */
const maxSide = 10_000;

/** For the widest rendition. A taller image becomes narrower, also at the smaller widths. */
const maxHeight = 2 * 960;

/** The last one fits into {@link maxBytes} with every picture, also with noise. Nearly all have their first. */
const qualities = [80, 50, 10, 1] as const;
/** The limit of one rendition. A usual cover has 20 to 150 KB; each response that a client leaves unread keeps one in memory. */
const maxBytes = 600 * 1024;

// Each image is decoded once, so a cache of decoded images would only take memory.
sharp.cache(false);

/** @throws {UnreadableImageError} for a format that is not accepted, a broken image, and one above a limit. */
export async function resizeUpload(bytes: Uint8Array): Promise<ConvertedImage> {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (!signatures.some((signature) => signature.test(start))) {
    throw new UnreadableImageError('this file format is not accepted');
  }
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
    // The size in the headers: nothing is decoded yet.
    const { width, height, format } = await image.metadata();
    if (Math.max(width, height) > maxSide || (format === 'heif' && width * height > maxAvifPixels)) {
      throw new Error('too large');
    }
    return await encodeWidths(image.autoOrient());
  } catch (error) {
    throw new UnreadableImageError('the image could not be decoded', { cause: error });
  }
}

async function encodeWidths(image: Sharp): Promise<ConvertedImage> {
  // Decoded once: the smaller widths are resized from the widest, not from the upload.
  const widest = await image
    .resize({ width: imageWidths.at(-1), height: maxHeight, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = widest.info;
  const renditions = await Promise.all(
    imageWidths.map(async (width) => ({
      width,
      bytes: await encode(
        sharp(widest.data, { raw: { width: widest.info.width, height, channels } }).resize({
          width,
          withoutEnlargement: true,
        }),
      ),
    })),
  );
  const [smallest] = renditions;
  return { width, height, renditions, ...(smallest && { colour: await dominantColour(smallest.bytes) }) };
}

async function encode(image: Sharp): Promise<Uint8Array> {
  let bytes = new Uint8Array();
  for (const quality of qualities) {
    const alphaQuality = quality === qualities[0] ? 100 : quality;
    // Effort 4, the default, takes more than twice as long and saves 5 % of the bytes.
    bytes = await image.clone().webp({ quality, alphaQuality, effort: 2 }).toBuffer();
    if (bytes.length <= maxBytes) break;
  }
  return bytes;
}
