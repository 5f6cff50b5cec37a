/** The cards of books, for previews of links, their drawn covers, and the colours that they and the pages of books have. */

import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { BookInStock } from '../../contract/book.ts';
import { drawCover, drawingOf, hueOf, mix } from '../../contract/drawn-cover.ts';
import { imageAddress } from '../../contract/image-address.ts';
import { paths, screens } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { forThisTest } from '../testing/ends-with-test.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { emma, openTestStore, readJson, setUpTestStore } from '../testing/test-store.ts';
import { cardPath, cardPathOfAnyDay, drawnCoverPath, openCards } from './cards.ts';
import { completeImages } from './complete-images.ts';
import { type Card, openImageWorker } from './image-worker.ts';
import { storeImage } from './images.ts';
import { resizeUpload } from './resize-upload.ts';

const store = setUpTestStore();

const red = '#a83828';
/** @returns the address of a stored picture, a square of one colour. */
async function addImage(db: Db, colour = red): Promise<string> {
  const square = { width: 400, height: 400, channels: 3, background: colour } as const;
  const image = await resizeUpload(await sharp({ create: square }).png().toBuffer());
  const id = colour.slice(1).padStart(32, '0');
  await storeImage(db, { ...image, id });
  return imageAddress(id);
}
const add = async (image: string): Promise<string> =>
  (await addBook(store.database.db, { ...emma, image }, null)).id;

/** @returns the path of the card that the page of a book names. */
async function cardOf(id: string): Promise<string> {
  const html = await (await store.call(screens.book(id))).text();
  return new URL(/property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '').pathname;
}

/** @returns how far the colour at a place of a picture is from another one. */
async function distance(bytes: Uint8Array, left: number, top: number, colour: string): Promise<number> {
  const shown = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  const expected = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return Math.max(...expected.map((value, at) => Math.abs(value - (shown[at] ?? 0))));
}

test('the card of a book has its picture on a tint of its colour, under an address that stands for both', async () => {
  const id = await add(await addImage(store.database.db));
  const path = await cardOf(id);
  for (const name of ['no-such-book-00000000.jpg', path.slice(7, -4), path.slice(7).replace('-', '')]) {
    expect((await store.call(paths.card(name))).status, name).toBe(404);
  }

  const response = await store.call(path);

  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  expect(await distance(bytes, 316, 354, red)).toBeLessThan(12);
  // A square keeps its shape.
  expect(await distance(bytes, 104, 142, red)).toBeLessThan(12);
  expect(await distance(bytes, 8, 8, mix(hueOf(red), '#ffffff', 0.76))).toBeLessThan(16);

  await store.database.db
    .updateTable('books')
    .set({ image: await addImage(store.database.db, '#2040c0') })
    .execute();
  const later = await cardOf(id);
  expect(later).not.toBe(path);
  const fromEarlier = await store.call(path);
  expect(fromEarlier.headers.get('cache-control')).toBe('public, max-age=86400');
  const bytesNow = new Uint8Array(await fromEarlier.arrayBuffer());
  expect(await distance(bytesNow, 316, 354, '#2040c0')).toBeLessThan(12);
  expect(await (await store.call(cardPathOfAnyDay(id))).bytes()).toEqual(bytesNow);
});

const ids = Array.from({ length: 100 }, (_, number) => `book-${number}`);

test.each(['', 'https://covers.example/emma.jpg'])(
  'a book with the image “%s” has a card with its drawn cover: the store fetches nothing',
  async (image) => {
    // The drawing leaves the upper corner free.
    const id = ids.find((id) => drawCover(drawingOf(id)).layout === 'top') ?? '';
    await add(image);
    await store.database.db.updateTable('books').set({ id }).execute();
    const { ground } = drawCover(drawingOf(id));

    const bytes = new Uint8Array(await (await store.call(await cardOf(id))).arrayBuffer());

    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
    expect(await distance(bytes, 99, 77, ground)).toBeLessThan(24);
    expect(await distance(bytes, 8, 8, mix(hueOf(ground), '#ffffff', 0.76))).toBeLessThan(16);
  },
);

test('another title, author or name of the shop has another card, and shop’s and book’s words are on it', async () => {
  const book = { id: 'book-1', title: 'Emma', author: 'Jane Austen', image: '', coverColour: null };
  const worker = await forThisTest(openImageWorker());
  const shown = [
    [book, 'Colophon'],
    [{ ...book, title: 'Ema' }, 'Colophon'],
    [{ ...book, author: 'J. Austen' }, 'Colophon'],
    [{ ...book, series: 'Novels', seriesNumber: '4' }, 'Colophon'],
    [book, 'Imprint'],
  ] as const;

  const cards = await Promise.all(
    shown.map(([one, shop]) => openCards(store.database.db, worker, shop).findCard(one)),
  );

  expect(new Set(shown.map(([one, shop]) => cardPath(one, shop))).size).toBe(5);
  expect(new Set(cards.map((card) => Buffer.from(card).toString('base64'))).size).toBe(5);
});

test('the drawn cover of a book is a picture with its words, under an address that stands for them', async () => {
  const { id, title, author } = await addBook(store.database.db, { ...emma, image: '' }, null);
  const path = drawnCoverPath({ id, title, author });
  const cacheOf = ({ headers }: Response) => headers.get('cache-control');

  const response = await store.call(path);

  expect(cacheOf(response)).toBe('public, max-age=31536000, immutable');
  const bytes = await response.bytes();
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 720 });
  await store.database.db.updateTable('books').set({ title: '紅樓夢', author: '曹雪芹' }).execute();
  const withoutWords = await store.call(path);
  expect(cacheOf(withoutWords)).toBe('public, max-age=86400');
  expect(await withoutWords.bytes()).not.toEqual(bytes);
});

test('a card is made once, again after a failure, and the 51st that would wait for others is refused', async () => {
  const made: string[] = [];
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const worker = await forThisTest(openImageWorker());
  const drawing = {
    ...worker,
    async drawCard({ book }: Card) {
      made.push(book.id);
      if (made.length === 1) throw new Error('no process');
      await hold;
      return new Uint8Array([made.length]);
    },
  };
  const { findCard } = openCards(store.database.db, drawing, 'Colophon');
  const find = (number: number) => findCard({ ...emma, id: `book-${number}`, image: '', coverColour: null });

  await expect(find(0)).rejects.toThrow('no process');
  const first = find(0);
  const others = Array.from({ length: 50 }, (_, index) => find(index + 1));
  expect(() => find(51)).toThrow(expect.objectContaining({ code: 'BUSY' }));
  const again = find(0);
  release();

  expect(await again).toBe(await first);
  await Promise.all(others);
  expect(await find(0)).toBe(await first);
  expect(made).toHaveLength(52);
  await find(51);
});

test('the page of a book has the colour of its picture, which the store finds at its start with the widths that it lacks', async () => {
  const { settings, open } = await createStoreDatabase();
  const earlier = await forThisTest(open());
  const image = await addImage(earlier.db);
  await earlier.db.updateTable('images').set({ colour: null }).execute();
  await earlier.db.deleteFrom('image_renditions').where('width', '<', 960).execute();
  const { id } = await addBook(earlier.db, { ...emma, image }, null);
  const other = await addBook(earlier.db, emma, null);

  const restarted = await openTestStore({ database: settings });

  const inStock = async (id: string) => readJson<BookInStock>(await restarted.call(paths.book(id)));
  await expect
    .poll(async () => (await inStock(id)).coverColour, { timeout: 10_000 })
    .toMatch(/^#a[78]3[789]2[789]$/);
  expect(await inStock(other.id)).not.toHaveProperty('coverColour');
  const small = await restarted.call(image.replace('.webp', '-240.webp'));
  expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await sharp(await small.arrayBuffer()).metadata()).toMatchObject({ width: 240 });
  const worker = await forThisTest(openImageWorker());
  expect(await completeImages(earlier.db, worker, new AbortController().signal)).toBe(0);
});

test('a transparent picture has the colour of what is seen of it', async () => {
  const create = { width: 40, height: 40, channels: 3, background: '#ffffff' } as const;
  const black = { r: 0, g: 0, b: 0, alpha: 0 };
  const picture = sharp({ create }).extend({ right: 60, bottom: 60, background: black });

  expect((await resizeUpload(await picture.png().toBuffer())).colour).toBe('#ffffff');
});
