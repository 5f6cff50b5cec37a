import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import type { UploadedImage } from '../../contract/image.ts';
import { paths } from '../../contract/paths.ts';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { emma, openTestStore, readJson, setUpTestStore } from '../testing/test-store.ts';

const store = setUpTestStore();
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a03020' } });

/** A small picture whose `ispe` box claims a larger size: making a large picture takes seconds. */
async function avif(width: number, height: number): Promise<Buffer> {
  const bytes = await picture(8, 8).avif({ effort: 0 }).toBuffer();
  const size = bytes.indexOf('ispe') + 8;
  bytes.writeUInt32BE(width, size);
  bytes.writeUInt32BE(height, size + 4);
  return bytes;
}

function upload(bytes: Uint8Array, { field = 'image', name = 'emma.png', as = cookie } = {}) {
  const form = new FormData();
  form.set('key', 'colophon');
  form.set(field, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name);
  return store.call('/1/upload', { method: 'POST', body: form, cookie: as });
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const boundary = 'a-boundary';
const multipart = `multipart/form-data; boundary=${boundary}`;

/** One part of a multipart body, as Latin-1 text. */
const part = (headers: readonly string[], content = '') =>
  `--${boundary}\r\n${[...headers, '', content, ''].join('\r\n')}`;
const field = (value: string) => part(['Content-Disposition: form-data; name="key"'], value);
const imagePart = (...headers: string[]) =>
  part(
    [...headers, 'Content-Disposition: form-data; name="image"; filename="a.png"'],
    onePixel.toString('latin1'),
  );
const bodyOf = (...parts: string[]) => Buffer.from(`${parts.join('')}--${boundary}--\r\n`, 'latin1');

const send = (body: Buffer, type = multipart, as = cookie) =>
  store.call(paths.upload, { method: 'POST', body, cookie: as, headers: { 'content-type': type } });

const metadataOf = async (address: string) => {
  const response = await store.call(address);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  return await sharp(await response.arrayBuffer()).metadata();
};

describe('POST /1/upload', () => {
  test('responds as imgbb does, with the address of the stored image, which has a name of its own', async () => {
    const file = await picture(60, 90).png().toBuffer();
    const { data, success, status } = await readJson<UploadedImage>(await upload(file));

    expect({ success, status }).toEqual({ success: true, status: 200 });
    expect(data).toMatchObject({ width: 60, height: 90, title: data.id, url: data.display_url });
    expect(await metadataOf(data.display_url)).toMatchObject({ width: 60, height: 90, format: 'webp' });
    const { headers } = await store.call(data.display_url);
    expect(headers.get('content-disposition')).toBe(`inline; filename="${data.id}.webp"`);
    for (const name of ['a\u202egnp.exe', 'a\u0007b.png', 'a\u0000b.png', '../"; x=".html']) {
      const again = await readJson<UploadedImage>(await upload(file, { name }));
      expect(again.data, JSON.stringify(name)).toMatchObject({ id: data.id, title: data.id });
    }
  });

  test('stores a wide image at each width, and lets browsers cache the files for a year', async () => {
    const { data } = await readJson<UploadedImage>(await upload(await picture(2000, 1000).jpeg().toBuffer()));

    expect(await metadataOf(data.display_url)).toMatchObject({ width: 960, height: 480 });
    for (const width of [240, 320, 480]) {
      expect(await metadataOf(data.display_url.replace('.webp', `-${width}.webp`))).toMatchObject({ width });
    }
    const { headers } = await store.call(data.display_url);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await store.call(data.display_url.replace('.webp', '-241.webp'))).status).toBe(404);
  });

  test('sends the next larger file in place of a width that is not there yet, and lets it be cached for a minute', async () => {
    const wide = await picture(700, 1050).png().toBuffer();
    const { data } = await readJson<UploadedImage>(await upload(wide));
    await store.database.db.deleteFrom('image_renditions').where('width', 'in', [240, 320]).execute();
    const address = data.display_url.replace('.webp', '-320.webp');
    const cacheOf = async () => (await store.call(address)).headers.get('cache-control');

    expect(await metadataOf(data.display_url.replace('.webp', '-240.webp'))).toMatchObject({ width: 480 });
    expect(await metadataOf(address)).toMatchObject({ width: 480, height: 720 });
    expect(await cacheOf()).toBe('public, max-age=60');

    await upload(wide);
    expect(await metadataOf(address)).toMatchObject({ width: 320, height: 480 });
    expect(await cacheOf()).toBe('public, max-age=31536000, immutable');
  });

  test('keeps a picture of nothing but noise small, of every height', async () => {
    const raw = { width: 960, height: 2_500, channels: 4 } as const;
    const noise = sharp(randomBytes(raw.width * raw.height * raw.channels), { raw });

    const { data } = await readJson<UploadedImage>(
      await upload(await noise.webp({ quality: 90 }).toBuffer()),
    );

    expect(data.height).toBe(1_920);
    expect(data.size).toBeLessThan(600 * 1024);
  });

  test('turns a photograph upright, drops its metadata, and preserves transparency', async () => {
    const sideways = picture(300, 200)
      .withExif({ IFD0: { Artist: 'A Photographer' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 });
    const clear = sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } });
    const addressOf = async (file: Buffer) =>
      (await readJson<UploadedImage>(await upload(file))).data.display_url;

    const upright = await metadataOf(await addressOf(await sideways.jpeg().toBuffer()));
    const transparent = await metadataOf(await addressOf(await clear.png().toBuffer()));

    expect(upright).toMatchObject({ width: 200, height: 300 });
    expect([upright.exif, upright.orientation]).toEqual([undefined, undefined]);
    expect(transparent).toMatchObject({ hasAlpha: true });
  });

  test('accepts each format by its content, whatever the file is called', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif'] as const) {
      const response = await upload(await picture(64, 96).toFormat(format).toBuffer(), { name: 'cover.txt' });

      expect(response.status, format).toBe(200);
    }
  });

  test('stores the same picture under the same address, also from a file that differs in its last byte', async () => {
    const bytes = await picture(20, 30).png().toBuffer();
    const uploadOf = async (file: Buffer, as = cookie) => {
      const { data } = await readJson<UploadedImage>(await upload(file, { as }));
      const query = store.database.db.selectFrom('images').select('uploaded_by');
      return { address: data.display_url, by: (await query.executeTakeFirstOrThrow()).uploaded_by };
    };
    const first = await uploadOf(bytes);

    expect(await uploadOf(Buffer.concat([bytes, Buffer.alloc(1)]))).toEqual(first);
    // The image counts for the customer who uploaded it last.
    const other = await uploadOf(bytes, await store.signIn({ sub: 'other' }));
    expect(other).toEqual({ address: first.address, by: expect.not.stringMatching(`${first.by}`) });
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const latin1 = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(500, 7)]);
  const heic = 'The store does not take images of this format. Its format is HEIC: save it as JPEG or PNG.';
  const damaged = 'This image is cut off or damaged.';
  const noImage =
    'This file is not an image that the store can show. It takes JPEG, PNG, GIF, WebP and AVIF.';
  test.each([
    ['an SVG', Buffer.from(svg), 'IMAGE_UNREADABLE', noImage],
    ['a video', latin1('\0\0\0\x18ftypisom\0\0\0\0isommp42'), 'IMAGE_UNREADABLE', noImage],
    ['a HEIC picture', latin1('\0\0\0\x18ftypmif1\0\0\0\0mif1heix'), 'IMAGE_FORMAT', heic],
    ['a broken AVIF', latin1('\0\0\0\x18ftypmif1\0\0\0\0mif1avif'), 'IMAGE_DAMAGED', damaged],
    ['an empty file', Buffer.alloc(0), 'IMAGE_EMPTY', 'This file is empty.'],
    ['a truncated PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'IMAGE_DAMAGED', damaged],
  ])(
    'rejects %s with an error in imgbb’s format, which has its reason',
    async (_name, bytes, code, message) => {
      const response = await upload(bytes);

      expect(await readJson(response, 400)).toMatchObject({
        status_code: 400,
        error: { message: expect.stringContaining(message), code: 310 },
        status_txt: code,
      });
    },
  );

  test('rejects a picture of which half is missing', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const drawn = sharp({ create: { width: 300, height: 400, channels: 3, background: '#fff', noise } });
    for (const format of ['jpeg', 'png'] as const) {
      const whole = await drawn.toFormat(format).toBuffer();
      const response = await upload(whole.subarray(0, whole.length / 2));
      expect(await readJson(response, 400), format).toMatchObject({ status_txt: 'IMAGE_DAMAGED' });
    }
  });

  test.each([
    ['49 megapixels', () => picture(7_000, 7_000).png().toBuffer(), '7,000 × 7,000: make it smaller'],
    // A few long rows take gigabytes.
    ['10,001 pixels in a row', () => picture(10_001, 4).png().toBuffer(), '10,000 pixels on a side.'],
    ['10,001 rows', () => picture(4, 10_001).png().toBuffer(), '10,000 pixels on a side.'],
    ['17 megapixels in an AVIF', () => avif(4_000, 4_001), 'with up to 16 megapixels'],
  ])('rejects an image of %s, which is more than the store decodes', async (_, draw, message) => {
    expect(await readJson(await upload(await draw()), 400)).toMatchObject({
      error: { message: expect.stringContaining(message) },
      status_txt: 'IMAGE_TOO_LARGE',
    });
  });

  test('rejects a file over 10 MB with 413, and stores none of it', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 1);
    Buffer.from('ffd8ff', 'hex').copy(large);

    expect(await readJson(await upload(large), 413)).toMatchObject({
      status_code: 413,
      error: { message: expect.stringContaining('An image has at most 10 MB') },
    });
    expect(await store.database.db.selectFrom('images').select('id').execute()).toEqual([]);
  });

  test('rejects a body that it cannot take, and an upload without a session', async () => {
    const whole = bodyOf(field('a'), imagePart());
    const replacing = (text: string, by: string) =>
      Buffer.from(whole.toString('latin1').replace(text, by), 'latin1');
    const address = part(['Content-Disposition: form-data; name="image"'], emma.image);
    const cases: [string, number, Buffer, type?: string][] = [
      ['a file in another field', 400, replacing('"image"', '"cover"')],
      ['an address, which the store does not fetch', 400, bodyOf(address)],
      ['no image', 400, bodyOf(field('a'))],
      ['a file that cannot be read', 400, replacing('PNG', 'GNP')],
      ['more than an image has', 413, Buffer.alloc(11 * 1024 * 1024)],
      ['another type', 415, Buffer.from('{"image":"x"}'), 'application/json'],
      ['no boundary', 400, whole, 'multipart/form-data'],
      ['no end', 400, whole.subarray(0, -20)],
      ['more than eight fields', 413, bodyOf(...Array(9).fill(field('a')), imagePart())],
      ['a second file', 413, bodyOf(imagePart(), imagePart())],
      ['more than nine parts', 413, bodyOf(...Array(9).fill(part(['X-Nameless: a'])), imagePart())],
      ['a file with long headers', 400, bodyOf(imagePart(`X-Long: ${'a'.repeat(2_000)}`))],
      ['a file with many headers', 400, bodyOf(imagePart(...Array(8).fill('X-More: a')))],
      // Each of these uploads has left its place to the next one.
      ['nothing wrong', 200, whole],
    ];
    for (const [name, status, body, type] of cases) {
      const response = await send(body, type);
      const { success = false, status_code = 200 } = (await response.json()) as {
        success?: boolean;
        status_code?: number;
      };
      expect([name, response.status, success, status_code]).toEqual([name, status, status === 200, status]);
    }
    expect(await readJson(await send(whole, multipart, ''), 401)).toMatchObject({ status_code: 401 });
  });
});

describe('uploads that are under way', () => {
  /** Sends the headers of an upload. @returns the request when the store wants its body, or else the response. */
  async function begin(as = cookie): Promise<{ upload: ClientRequest; response?: IncomingMessage }> {
    const body = bodyOf(imagePart());
    const upload = request(store.origin + paths.upload, {
      method: 'POST',
      agent: false,
      headers: {
        cookie: as,
        'content-type': multipart,
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    // A stopping store would wait for the body.
    endsWithTest(() => upload.destroy());
    upload.on('error', () => {});
    upload.flushHeaders();
    const response = await Promise.race([
      once(upload, 'continue').then(() => undefined),
      once(upload, 'response').then(([received]: IncomingMessage[]) => received),
    ]);
    return response ? { upload, response } : { upload };
  }

  const finish = async ({ upload }: { upload: ClientRequest }) => {
    upload.end(bodyOf(imagePart()));
    const [response] = await once(upload, 'response');
    response.resume();
    return response.statusCode;
  };

  test('are at most two for an account and four in all: others are refused before they travel', async () => {
    const other = await store.signIn({ sub: 'other' });
    const first = [await begin(), await begin()];

    const { response } = await begin();
    const all = [...first, await begin(other), await begin(other)];
    const fifth = await begin(await store.signIn({ sub: 'third' }));

    expect(response?.statusCode).toBe(503);
    expect(response?.headers).toMatchObject({ 'retry-after': '2', connection: 'close' });
    expect(response && (await json(response))).toMatchObject({ status_code: 503, status_txt: 'BUSY' });
    expect(fifth.response?.statusCode).toBe(503);
    expect(await Promise.all(all.map(finish))).toEqual([200, 200, 200, 200]);
  });

  test('leave room for others when they are cut off in the middle', async () => {
    const uploads = [await begin(), await begin()];
    const body = bodyOf(imagePart());
    for (const { upload } of uploads) upload.write(body.subarray(0, body.length - 30));
    for (const { upload } of uploads) upload.destroy();

    await expect.poll(async () => (await send(body)).status).toBe(200);
  });
});

test('the log has no session of an upload, also at the level that logs everything', async () => {
  const lines: string[] = [];
  const other = await openTestStore({ onLog: (line) => lines.push(line), logLevel: 'trace' });
  const session = await other.signIn();
  const headers = { 'content-type': multipart };
  const upload = { method: 'POST', body: bodyOf(imagePart()), cookie: session, headers };

  expect((await other.call(paths.upload, upload)).status).toBe(200);
  await other.close();

  expect(lines.join()).toContain('busboy');
  expect(lines.join()).not.toContain(session);
});

test('the key of another image host is in no page and no public call: those who may add books get it', async () => {
  const imageHost = { url: 'https://images.example/1/upload', key: 'account-key-1' };
  const host = await openTestStore({ settings: { imageHost, adminEmails: ['admin@example.com'] } });
  const buyer = await host.signIn();
  const admin = await host.signIn({ email: 'admin@example.com', sub: 'admin' });
  const anyone = ['/', '/home', '/login', '/admin', '/desk', '/books', '/openapi.json', '/auth/session'];

  const texts = await Promise.all(anyone.map(async (path) => (await host.call(path)).text()));
  const granted = await host.call(paths.imageHostKey, { cookie: admin });

  expect(texts[0]).toContain(imageHost.url);
  expect(texts.join()).not.toContain(imageHost.key);
  expect((await host.call(paths.imageHostKey, { cookie: buyer })).status).toBe(403);
  expect(await readJson(granted)).toEqual({ key: imageHost.key });
  expect(granted.headers.get('cache-control')).toBe('private, no-store');
  expect((await store.call(paths.imageHostKey, { cookie })).status).toBe(404);
});
