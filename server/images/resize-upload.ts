/** Converts an uploaded file: checks it, turns it upright, drops its metadata, and encodes it as WebP at each width. */

import sharp, { type Sharp } from 'sharp';
import { imageWidths } from '../../contract/image-widths.ts';
import { Problem } from '../http/problems.ts';
import type { ConvertedImage } from './images.ts';

/** SVG is not accepted: it can contain scripts and external addresses, so it never reaches the decoder. */
const signatures = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF.{4}WEBP/s,
];

/** Images of this size need 100 to 330 MB, or 520 MB for an interlaced PNG of 16 bits, which is decoded as a whole. */
const maxPixels = 40_000_000;
/** An AVIF is decoded as a whole, in 20 bytes for each pixel, or 27 for an image of 10 or 12 bits. */
const maxAvifPixels = 16_000_000;
/** Decoder and resizing keep many rows at a time, so an image of few, very long rows would take gigabytes. */
const maxSide = 10_000;

/** The limit of the widest rendition. A taller image becomes narrower, also at the smaller widths. */
const maxHeight = 2 * 960;

/** Every picture, even noise, fits into {@link maxBytes} at the last quality. Nearly all fit at the first. */
const qualities = [80, 50, 10, 1] as const;
/** The largest file; a usual cover has 20 to 150 KB. Each response that a client leaves unread keeps a file in memory. */
const maxBytes = 600 * 1024;

sharp.cache(false);

export async function resizeUpload(bytes: Uint8Array): Promise<ConvertedImage> {
  const start = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  const brands = brandsOf(start);
  const isAvif = brands.some((brand) => brand === 'avif' || brand === 'avis');
  if (bytes.length === 0) throw new Problem('IMAGE_EMPTY');
  if (!isAvif && brands.some((brand) => /^(?:he[iv][cmsx]|mif1)$/.test(brand)))
    throw new Problem('IMAGE_FORMAT', { detail: 'Its format is HEIC: save it as JPEG or PNG.' });
  if (!isAvif && !signatures.some((signature) => signature.test(start)))
    throw new Problem('IMAGE_UNREADABLE', { detail: 'It takes JPEG, PNG, GIF, WebP and AVIF.' });
  try {
    // The headers give the size, so nothing is decoded yet. sharp's own limit is off, because its error does not tell the size.
    const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata();
    checkSize(width, height, format === 'heif' ? maxAvifPixels : maxPixels);
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
    return await encodeWidths(image.autoOrient());
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('IMAGE_DAMAGED', { detail: 'Save it once more from its original.', cause: error });
  }
}

/** @returns the formats of a file of the family of HEIF, and of videos, as its beginning names them; none for other files. */
const brandsOf = (start: string): readonly string[] =>
  start.slice(4, 8) === 'ftyp'
    ? (start.slice(8, Buffer.from(start, 'latin1').readUInt32BE(0)).match(/.{4}/gs) ?? [])
    : [];

function checkSize(width: number, height: number, most: number): void {
  if (width * height <= most && Math.max(width, height) <= maxSide) return;
  const inWords = (pixels: number) => pixels.toLocaleString('en');
  const limits = `${most / 1_000_000} megapixels and ${inWords(maxSide)} pixels on a side`;
  const detail = `It has ${inWords(width)} × ${inWords(height)}: make it smaller, with up to ${limits}.`;
  throw new Problem('IMAGE_TOO_LARGE', { detail });
}

async function encodeWidths(image: Sharp): Promise<ConvertedImage> {
  // The upload is decoded once: the smaller widths are resized from the widest rendition.
  const { data, info } = await image
    .resize({ width: imageWidths.at(-1), height: maxHeight, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const widest = sharp(data, { raw: { width, height, channels } });
  const renditions = await Promise.all(
    imageWidths.map(async (width) => ({
      width,
      bytes: await encode(widest.clone().resize({ width, withoutEnlargement: true })),
    })),
  );
  return { width, height, renditions, colour: await dominantColour(widest) };
}

/** @returns the average of the pixels in the commonest of 4,096 ranges of colours. sharp tells the middle of that range, whose hue may be another. */
async function dominantColour(picture: Sharp): Promise<string> {
  const small = picture.clone().resize(64, 96, { fit: 'fill' }).flatten({ background: '#fff' });
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
  const pixels = Array.from({ length: info.width * info.height }, (_, at) =>
    data.subarray(at * info.channels, at * info.channels + 3),
  );
  const ranges = Map.groupBy(pixels, (pixel) => pixel.map((value) => value >> 4).join());
  const common = [...ranges.values()].reduce((most, one) => (one.length > most.length ? one : most), []);
  const average = [0, 1, 2].map(
    (at) => common.reduce((sum, pixel) => sum + (pixel[at] ?? 0), 0) / common.length,
  );
  return `#${Buffer.from(average.map(Math.round)).toString('hex')}`;
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
