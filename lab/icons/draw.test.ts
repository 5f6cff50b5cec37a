import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { manifestOf } from '../../server/pages/crawler-routes.ts';
import { drawings, publicFolder } from './drawings.ts';

const pixelsOf = (image: Buffer) => sharp(image).ensureAlpha().raw().toBuffer();
/** The largest picture in an `.ico` is the last one. */
const pictureIn = (name: string, file: Buffer) =>
  name.endsWith('.ico') ? file.subarray(file.lastIndexOf('\x89PNG', undefined, 'latin1')) : file;

test.each(Object.keys(drawings))('%s shows what `npm --prefix lab run icons` would draw', async (name) => {
  const drawn = await pixelsOf(pictureIn(name, (await drawings[name]?.()) ?? Buffer.of()));
  const stored = await pixelsOf(pictureIn(name, readFileSync(join(publicFolder, name))));

  expect(stored.length).toBe(drawn.length);
  const difference = drawn.reduce((sum, value, i) => sum + Math.abs(value - (stored[i] ?? 0)), 0);
  // The tolerance, from 0 to 255: another version of the renderer may smooth an edge differently.
  expect(difference / drawn.length).toBeLessThan(1);
});

test('favicon.ico has the sizes 16, 32 and 48', () => {
  const file = readFileSync(join(publicFolder, 'favicon.ico'));
  const count = file.readUInt16LE(4);

  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1]);
  expect(Array.from({ length: count }, (_, index) => file.readUInt8(6 + 16 * index))).toEqual([16, 32, 48]);
});

test.each(manifestOf('Colophon').icons)('$src of the manifest is a PNG of $sizes', async ({ src, sizes }) => {
  const { format, width, height } = await sharp(join(publicFolder, src)).metadata();

  expect([format, `${width}x${height}`]).toEqual(['png', sizes]);
});

test('icons that systems cut to their own shape have no transparent corner', async () => {
  for (const name of ['apple-touch-icon.png', 'icon-maskable-512.png']) {
    const { isOpaque } = await sharp(join(publicFolder, name)).stats();
    expect(isOpaque, name).toBe(true);
  }
});
