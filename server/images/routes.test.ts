import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UploadedImage } from '../../contract/image.ts';
import { addBook } from '../catalogue/books.ts';
import { openTestStore, readJson, type TestStore } from '../testing/test-store.ts';
import { renewImage, sweepImages } from './images.ts';

let store: TestStore;
let cookie: string;
beforeEach(async () => {
  store = await openTestStore();
  cookie = await store.signIn();
});
afterEach(() => store.close());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a03020' } });

function upload(bytes: Uint8Array, { field = 'image', name = 'emma.png', as = cookie } = {}) {
  const form = new FormData();
  form.set('key', 'colophon');
  form.set(field, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name);
  return store.call('/1/upload', { method: 'POST', body: form, cookie: as });
}

const sizeOf = async (address: string) => {
  const answer = await store.call(address);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const { width, height, format, exif, orientation } = await sharp(await answer.arrayBuffer()).metadata();
  return { width, height, format, exif, orientation };
};

describe('POST /1/upload', () => {
  test('answers in imgbb’s shape, with an address that shows the image', async () => {
    const { data, success, status } = await readJson<UploadedImage>(
      await upload(await picture(600, 900).png().toBuffer()),
    );

    expect({ success, status }).toEqual({ success: true, status: 200 });
    expect(data).toMatchObject({ width: 600, height: 900, title: 'emma', url: data.display_url });
    expect(await sizeOf(data.display_url)).toMatchObject({ width: 600, height: 900, format: 'webp' });
  });

  test('keeps each width of an image that is wide enough, and lets browsers keep them for good', async () => {
    const { data } = await readJson<UploadedImage>(await upload(await picture(2000, 1000).jpeg().toBuffer()));

    expect(await sizeOf(data.display_url)).toMatchObject({ width: 960, height: 480 });
    expect(await sizeOf(data.display_url.replace('.webp', '-480.webp'))).toMatchObject({ width: 480 });
    expect(await sizeOf(data.display_url.replace('.webp', '-240.webp'))).toMatchObject({ width: 240 });
    const { headers } = await store.call(data.display_url);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await store.call(data.display_url.replace('.webp', '-241.webp'))).status).toBe(404);
  });

  test('turns a photograph upright and drops what it tells of the photographer', async () => {
    const sideways = await picture(300, 200)
      .withExif({ IFD0: { Artist: 'Somebody', Orientation: '6' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

    const { data } = await readJson<UploadedImage>(await upload(sideways));

    expect(await sizeOf(data.display_url)).toMatchObject({
      width: 200,
      height: 300,
      exif: undefined,
      orientation: undefined,
    });
  });

  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
    'takes %s by its content, whatever it is called',
    async (format) => {
      const answer = await upload(await picture(64, 96).toFormat(format).toBuffer(), { name: 'cover.txt' });

      expect(answer.status).toBe(200);
    },
  );

  test('keeps transparency', async () => {
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();

    const { data } = await readJson<UploadedImage>(await upload(clear));

    const shown = sharp(await (await store.call(data.display_url)).arrayBuffer());
    expect((await shown.metadata()).hasAlpha).toBe(true);
  });

  test('gives the same file the same address', async () => {
    const bytes = await picture(20, 30).png().toBuffer();
    const first = await readJson<UploadedImage>(await upload(bytes));
    const second = await readJson<UploadedImage>(await upload(bytes, { name: 'again.png' }));

    expect(second.data.display_url).toBe(first.data.display_url);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  test.each([
    ['an SVG', Buffer.from(svg)],
    ['an SVG after white space', Buffer.from(`\n  ${svg}`)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
    ['a PNG cut short', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['noise that begins like a JPEG', Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(500, 7)])],
  ])('refuses %s in imgbb’s shape', async (_name, bytes) => {
    const answer = await upload(bytes);

    expect(await readJson(answer, 400)).toMatchObject({
      status_code: 400,
      error: { message: expect.any(String), code: expect.any(Number) },
    });
  });

  test('refuses an image of more pixels than the store decodes', async () => {
    const bomb = await picture(7000, 7000).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);

    expect((await upload(bomb)).status).toBe(400);
  });

  test('refuses a file over 10 MB with 413, and keeps nothing of it', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 1);
    Buffer.from('ffd8ff', 'hex').copy(large);

    expect(await readJson(await upload(large), 413)).toMatchObject({ status_code: 413 });
    expect(await store.database.db.selectFrom('images').select('id').execute()).toEqual([]);
  });

  test('refuses an address in the place of a file: the store fetches nothing', async () => {
    const form = new FormData();
    form.set('key', 'colophon');
    form.set('image', 'https://covers.example/emma.jpg');

    const answer = await store.call('/1/upload', { method: 'POST', body: form, cookie });

    expect(answer.status).toBe(400);
  });

  test('refuses a file in another field, and a body of another kind', async () => {
    expect((await upload(await picture(9, 9).png().toBuffer(), { field: 'cover' })).status).toBe(400);
    expect((await store.call('/1/upload', { json: { image: 'x' }, cookie })).status).toBe(415);
  });

  test.each([
    ['says nothing of its parts', 'multipart/form-data', 'image'],
    [
      'is cut short',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
    ],
  ])('refuses a body that %s', async (_name, contentType, body) => {
    const answer = await store.call('/1/upload', {
      method: 'POST',
      body,
      cookie,
      headers: { 'content-type': contentType },
    });

    expect(await readJson(answer, 400)).toMatchObject({ status_code: 400 });
  });

  test('takes nothing from who is not signed in', async () => {
    const answer = await upload(await picture(9, 9).png().toBuffer(), { as: '' });

    expect(await readJson(answer, 401)).toMatchObject({ status_code: 401 });
  });
});

test('what is on no book is swept a day after its upload; what is on a removed book stays', async () => {
  const [used, unused] = await Promise.all(
    [20, 30].map(async (width) =>
      readJson<UploadedImage>(await upload(await picture(width, 30).png().toBuffer())),
    ),
  );
  const image = used?.data.display_url ?? '';
  const { id } = await addBook(store.database.db, { title: 'T', author: 'A', image, priceCents: 1 }, null);
  await store.call(`/deleteBook/${id}`, { method: 'DELETE', cookie });
  const hour = 3_600_000;

  await sweepImages(store.database.db, Date.now() + 23 * hour);
  expect((await store.call(unused?.data.display_url ?? '')).status).toBe(200);

  await sweepImages(store.database.db, Date.now() + 25 * hour);
  expect((await store.call(unused?.data.display_url ?? '')).status).toBe(404);
  expect((await store.call(image)).status).toBe(200);
  expect(await store.database.db.selectFrom('image_renditions').select('image_id').execute()).toHaveLength(3);
});

test('an image that a book is about to use is not swept before it does, however old it is', async () => {
  const { data } = await readJson<UploadedImage>(await upload(await picture(20, 30).png().toBuffer()));
  const { db } = store.database;
  const dayAndMore = 25 * 3_600_000;
  const later = Date.now() + dayAndMore;

  expect(await renewImage(db, data.id, later)).toBe(true);
  await sweepImages(db, later);
  expect((await store.call(data.display_url)).status).toBe(200);

  await sweepImages(db, later + dayAndMore);
  expect(await renewImage(db, data.id, later)).toBe(false);
});
