/** Converts an uploaded file: checks it, turns it upright, drops its metadata, and encodes it as WebP at each width. */

import sharp, { type Sharp } from 'sharp';
import { imageWidths } from '../../contract/image-widths.ts';
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

/** 40 megapixels take 160 MB when decoded. */
const maxPixels = 40_000_000;

// Each image is decoded once, so a cache of decoded images would only take memory.
sharp.cache(false);

/** @throws {UnreadableImageError} for a format that is not accepted, a broken image, and one above a limit. */
export async function convertUpload(bytes: Uint8Array): Promise<ConvertedImage> {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (!signatures.some((signature) => signature.test(start))) {
    throw new UnreadableImageError('this file format is not accepted');
  }
  try {
    return await encodeWidths(sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient());
  } catch (error) {
    throw new UnreadableImageError('the image could not be decoded', { cause: error });
  }
}

async function encodeWidths(image: Sharp): Promise<ConvertedImage> {
  // Decoded once: the smaller widths are resized from the widest, not from the upload.
  const widest = await image
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
        // Effort 4, the default, takes more than twice as long and saves 5 % of the bytes.
        .webp({ quality: 80, effort: 2 })
        .toBuffer(),
    })),
  );
  return { width, height, renditions };
}
