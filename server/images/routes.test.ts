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

const metadataOf = async (address: string) => {
  const response = await store.call(address);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const { width, height, format, exif, orientation } = await sharp(await response.arrayBuffer()).metadata();
  return { width, height, format, exif, orientation };
};

describe('POST /1/upload', () => {
  test('responds as imgbb does, with the address of the stored image', async () => {
    const { data, success, status } = await readJson<UploadedImage>(
      await upload(await picture(600, 900).png().toBuffer()),
    );

    expect({ success, status }).toEqual({ success: true, status: 200 });
    expect(data).toMatchObject({ width: 600, height: 900, title: 'emma', url: data.display_url });
    expect(await metadataOf(data.display_url)).toMatchObject({ width: 600, height: 900, format: 'webp' });
  });

  test.each(['a\u202egnp.exe', 'a\u0007b.png', 'a\u0000b.png'])(
    'does not return the file name %j, which is not clean text',
    async (name) => {
      const { data } = await readJson<UploadedImage>(
        await upload(await picture(6, 9).png().toBuffer(), { name }),
      );

      expect(data.title).toBe(data.id);
    },
  );

  test('stores a wide image at each width, and lets browsers cache the files for a year', async () => {
    const { data } = await readJson<UploadedImage>(await upload(await picture(2000, 1000).jpeg().toBuffer()));

    expect(await metadataOf(data.display_url)).toMatchObject({ width: 960, height: 480 });
    expect(await metadataOf(data.display_url.replace('.webp', '-480.webp'))).toMatchObject({ width: 480 });
    expect(await metadataOf(data.display_url.replace('.webp', '-240.webp'))).toMatchObject({ width: 240 });
    const { headers } = await store.call(data.display_url);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await store.call(data.display_url.replace('.webp', '-241.webp'))).status).toBe(404);
  });

  test('turns a photograph upright and drops its metadata', async () => {
    const sideways = await picture(300, 200)
      .withExif({
        IFD0: { Artist: 'A Photographer', Orientation: '6' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

    const { data } = await readJson<UploadedImage>(await upload(sideways));

    expect(await metadataOf(data.display_url)).toMatchObject({
      width: 200,
      height: 300,
      exif: undefined,
      orientation: undefined,
    });
  });

  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
    'accepts %s by its content, whatever the file is called',
    async (format) => {
      const response = await upload(await picture(64, 96).toFormat(format).toBuffer(), { name: 'cover.txt' });

      expect(response.status).toBe(200);
    },
  );

  test('preserves transparency', async () => {
    const transparent = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();

    const { data } = await readJson<UploadedImage>(await upload(transparent));

    const stored = sharp(await (await store.call(data.display_url)).arrayBuffer());
    expect((await stored.metadata()).hasAlpha).toBe(true);
  });

  test('stores the same file under the same address', async () => {
    const bytes = await picture(20, 30).png().toBuffer();
    const first = await readJson<UploadedImage>(await upload(bytes));
    const second = await readJson<UploadedImage>(await upload(bytes, { name: 'again.png' }));

    expect(second.data.display_url).toBe(first.data.display_url);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  test.each([
    ['an SVG', Buffer.from(svg)],
    ['an SVG after white space', Buffer.from(`\n  ${svg}`)],
    ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an empty file', Buffer.alloc(0)],
    ['a truncated PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    [
      'random bytes that begin like a JPEG',
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(500, 7)]),
    ],
  ])('rejects %s with an error in imgbb’s format', async (_name, bytes) => {
    const response = await upload(bytes);

    expect(await readJson(response, 400)).toMatchObject({
      status_code: 400,
      error: { message: expect.any(String), code: expect.any(Number) },
    });
  });

  test('rejects an image with more pixels than the store decodes', async () => {
    const huge = await picture(7000, 7000).png({ compressionLevel: 9 }).toBuffer();
    expect(huge.length).toBeLessThan(1_000_000);

    expect((await upload(huge)).status).toBe(400);
  });

  test('rejects a file over 10 MB with 413, and stores none of it', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 1);
    Buffer.from('ffd8ff', 'hex').copy(large);

    expect(await readJson(await upload(large), 413)).toMatchObject({ status_code: 413 });
    expect(await store.database.db.selectFrom('images').select('id').execute()).toEqual([]);
  });

  test('rejects an address instead of a file, because the store fetches nothing', async () => {
    const form = new FormData();
    form.set('key', 'colophon');
    form.set('image', 'https://covers.example/emma.jpg');

    const response = await store.call('/1/upload', { method: 'POST', body: form, cookie });

    expect(response.status).toBe(400);
  });

  test('rejects a file in another field, and a body of another content type', async () => {
    expect((await upload(await picture(9, 9).png().toBuffer(), { field: 'cover' })).status).toBe(400);
    expect((await store.call('/1/upload', { json: { image: 'x' }, cookie })).status).toBe(415);
  });

  test.each([
    ['has no boundary', 'multipart/form-data', 'image'],
    [
      'is truncated',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
    ],
  ])('rejects a body that %s', async (_name, contentType, body) => {
    const response = await store.call('/1/upload', {
      method: 'POST',
      body,
      cookie,
      headers: { 'content-type': contentType },
    });

    expect(await readJson(response, 400)).toMatchObject({ status_code: 400 });
  });

  test('rejects an upload without a session', async () => {
    const response = await upload(await picture(9, 9).png().toBuffer(), { as: '' });

    expect(await readJson(response, 401)).toMatchObject({ status_code: 401 });
  });
});

test('an image that no book uses is removed a day after its upload; a removed book keeps its image', async () => {
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

test('an old image that a book is about to use is not removed in between', async () => {
  const { data } = await readJson<UploadedImage>(await upload(await picture(20, 30).png().toBuffer()));
  const { db } = store.database;
  const overOneDayMs = 25 * 3_600_000;
  const later = Date.now() + overOneDayMs;

  expect(await renewImage(db, data.id, later)).toBe(true);
  await sweepImages(db, later);
  expect((await store.call(data.display_url)).status).toBe(200);

  await sweepImages(db, later + overOneDayMs);
  expect(await renewImage(db, data.id, later)).toBe(false);
});
