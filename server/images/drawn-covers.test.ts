import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawCover, drawingOf } from '../../contract/drawn-cover.ts';
import { forThisTest } from '../testing/ends-with-test.ts';
import { setUpTestStore } from '../testing/test-store.ts';
import { drawnCoverPath, shareDrawings } from './drawn-covers.ts';
import { openImageWorker } from './image-worker.ts';

const store = setUpTestStore();

/** A book whose cover is a framed title page. */
const id =
  Array.from({ length: 100 }, (_, number) => `book-${number}`).find(
    (id) => drawCover(drawingOf(id)).layout === 'page',
  ) ?? '';

/** @returns how far the colour at a place of a picture is from another one. */
async function distance(bytes: Uint8Array, left: number, top: number, colour: string): Promise<number> {
  const shown = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  const expected = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return Math.max(...expected.map((value, at) => Math.abs(value - (shown[at] ?? 0))));
}

test('the picture of a drawn cover has what the browser draws, and caches keep it for a day', async () => {
  const { ground, layers } = drawCover(drawingOf(id));

  const response = await store.call(drawnCoverPath(id));

  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 480, height: 720 });
  expect(await distance(bytes, 8, 8, ground)).toBeLessThan(12);
  // On the frame.
  expect(await distance(bytes, 24, 360, layers[0]?.colour ?? '')).toBeLessThan(60);
  expect(await distance(bytes, 24, 360, ground)).toBeGreaterThan(60);
});

test.each(['drawn-1024', 'drawn-01', 'drawn--1', 'drawn-', 'drawn-1e2', 'drawn-7-480'])(
  'there is no picture %s',
  async (name) => {
    expect((await store.call(`/images/${name}.webp`)).status).toBe(404);
  },
);

test('a drawing is made once for all requests, and again after a failure', async () => {
  const worker = await forThisTest(openImageWorker());
  let conversions = 0;
  const find = shareDrawings({
    ...worker,
    convert: (source) => {
      conversions += 1;
      return conversions === 1 ? Promise.reject(new Error('no process')) : worker.convert(source);
    },
  });

  await expect(find(7)).rejects.toThrow('no process');
  const [first, second] = await Promise.all([find(7), find(7)]);

  expect(second).toBe(first);
  expect(await find(7)).toBe(first);
  expect(conversions).toBe(2);
});
