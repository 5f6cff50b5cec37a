import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import type { UploadedImage, UploadRefused } from '../../contract/image.ts';
import { imageAddress } from '../../contract/image-address.ts';
import { imageWidths } from '../../contract/image-widths.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { sweepBatchSize } from '../database/sweep.ts';
import { readJson, setUpTestStore } from '../testing/test-store.ts';
import { findRendition, renewImage, sweepImages } from './images.ts';

const store = setUpTestStore();
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
});

const pictureOf = (width: number) =>
  sharp({ create: { width, height: 30, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer();
const picture = await pictureOf(20);

function upload(bytes: Uint8Array, as = cookie): Promise<Response> {
  const form = new FormData();
  form.set('image', new File([new Uint8Array(bytes)], 'emma.png'));
  return store.call(paths.upload, { method: 'POST', body: form, cookie: as });
}

describe('the quota of images that are on no book', () => {
  /** Stores images that were uploaded at this time, in milliseconds since 1970. */
  const addUnused = async (count: number, uploadedBy: string | null, uploadedAt = Date.now()) => {
    const by = { width: 1, height: 1, created_at: uploadedAt, uploaded_by: uploadedBy };
    const images = Array.from({ length: count }, () => ({ id: randomUUID(), ...by }));
    await store.database.db.insertInto('images').values(images).execute();
    return images.map(({ id }) => imageAddress(id));
  };
  const customerId = async () =>
    (await store.database.db.selectFrom('customers').select('id').executeTakeFirstOrThrow()).id;
  const hour = 3_600_000;

  test('stops an account at a hundred, with what to do, and lets others upload', async () => {
    const [image = ''] = await addUnused(1, await customerId(), Date.now() - 23 * hour);
    await addUnused(99, await customerId());

    const response = await upload(picture);

    const { status_txt, error } = await readJson<UploadRefused>(response, 429);
    expect([status_txt, error.code]).toEqual(['IMAGE_QUOTA_REACHED', 100]);
    expect(error.message).toMatch(/^Too many .+\. This account has 100 of them\. Add books with them, or /);
    const retryAfterS = Number(response.headers.get('retry-after'));
    expect(retryAfterS).toBeGreaterThan(3_500);
    expect(retryAfterS).toBeLessThanOrEqual(3_601);
    expect((await upload(picture, await store.signIn({ sub: 'other' }))).status).toBe(200);
    await addBook(store.database.db, { title: 'T', author: 'A', image, priceCents: 1 }, null);
    expect((await upload(picture)).status).toBe(200);
  });

  test('counts the images of removed books, and none of more than a day ago, which the next sweep removes', async () => {
    const { db } = store.database;
    await addUnused(2_500, await customerId(), Date.now() - 25 * hour);
    const [image = ''] = await addUnused(99, await customerId());
    const { id } = await addBook(db, { title: 'T', author: 'A', image, priceCents: 1 }, null);
    expect((await upload(picture)).status).toBe(200);
    await store.call(`/deleteBook/${id}`, { method: 'DELETE', cookie });

    expect((await upload(picture)).status).toBe(429);
    await sweepImages(db);

    expect(await db.selectFrom('images').select('id').execute()).toHaveLength(100);
  });
});

test('an image that no book uses is removed a day after its upload; a removed book keeps its image', async () => {
  const [used, unused] = await Promise.all(
    [20, 30].map(async (width) => readJson<UploadedImage>(await upload(await pictureOf(width)))),
  );
  const image = used?.data.display_url ?? '';
  const { id } = await addBook(store.database.db, { title: 'T', author: 'A', image, priceCents: 1 }, null);
  await store.call(`/deleteBook/${id}`, { method: 'DELETE', cookie });
  const hour = 3_600_000;

  await sweepImages(store.database.db, Date.now() + 23 * hour);
  expect((await store.call(unused?.data.display_url ?? '')).status).toBe(200);

  await sweepImages(store.database.db, Date.now() + 25 * hour);
  expect(await findRendition(store.database.db, unused?.data.id ?? '', 960)).toBe(undefined);
  expect((await store.call(image)).status).toBe(200);
  const renditions = await store.database.db.selectFrom('image_renditions').select('image_id').execute();
  expect(renditions).toHaveLength(imageWidths.length);
});

test('a sweep removes more unused images than a page of it has, between and behind used ones, and no used one', async () => {
  const { db } = store.database;
  const ids = Array.from({ length: 3.5 * sweepBatchSize }, (_, index) => String(index).padStart(32, '0'));
  // Reads the first page, of which nothing is removed, and every seventh of the others.
  const used = ids.filter((_, index) => index < sweepBatchSize || index % 7 === 0);
  const images = ids.map((id) => ({ id, width: 1, height: 1, created_at: 0 }));
  await db.insertInto('images').values(images).execute();
  const book = { title: 'T', author: 'A', price_cents: 1, search_text: 't a', title_sort: 't', added_at: 1 };
  const books = used.map((id) => ({ id, image: imageAddress(id), ...book }));
  await db.insertInto('books').values(books).execute();

  await sweepImages(db);

  const left = await db.selectFrom('images').select('id').orderBy('id').execute();
  expect(left.map(({ id }) => id)).toEqual(used);
});

test('an old image that a book is about to use is not removed in between', async () => {
  const { data } = await readJson<UploadedImage>(await upload(picture));
  const { db } = store.database;
  const overOneDayMs = 25 * 3_600_000;
  const later = Date.now() + overOneDayMs;

  expect(await renewImage(db, data.id, later)).toBe(true);
  await sweepImages(db, later);
  expect((await store.call(data.display_url)).status).toBe(200);

  await sweepImages(db, later + overOneDayMs);
  expect(await renewImage(db, data.id, later)).toBe(false);
});
