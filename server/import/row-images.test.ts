import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { imageAddress } from '../../contract/image-address.ts';
import { commandActor } from '../activity/activity.ts';
import type { Database } from '../database/open.ts';
import { isPublicAddress } from '../http/outgoing.ts';
import { type ImageWorker, openImageWorker } from '../images/image-worker.ts';
import { certificate as cert, key } from '../testing/certificate.ts';
import { endsWithTest, forThisTest, makeFolder } from '../testing/ends-with-test.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { type FetchParts, fetchImage, fetchLimits } from './fetch-image.ts';
import { importBooks } from './import-books.ts';
import { storeImages } from './row-images.ts';

let folder: string;
let server: Server;
let answer: RequestListener;
let port: number;
beforeEach(async () => {
  folder = await makeFolder();
  server = createServer({ key, cert }, (request, response) => answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
  endsWithTest(() => {
    server.closeAllConnections();
    server.close();
  });
});

/** The test's host names lead to this machine. No shop may fetch from it, but these tests may. */
const here: FetchParts = {
  ca: cert,
  isAllowed: (address) => address === '127.0.0.1',
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
};
const fetchPath = async (from: string, parts: FetchParts = here) =>
  String(await fetchImage(`https://covers.test:${port}${from}`, parts));

/** Sends 1,000 bytes. */
const sending =
  (headers: OutgoingHttpHeaders): RequestListener =>
  (_request, response) =>
    response.writeHead(200, headers).end(Buffer.alloc(1_000));

describe('an address that is fetched', () => {
  test('gives its bytes, also after redirects to another name', async () => {
    answer = ({ url, headers }, response) => {
      if (url === '/a') response.writeHead(302, { location: '/b' }).end();
      else if (url === '/b') response.writeHead(308, { location: `https://other.test:${port}/c` }).end();
      else response.end(`${url} at ${headers.host}`);
    };

    expect(await fetchPath('/a')).toBe(`/c at other.test:${port}`);
  });

  test.each([
    ['redirects for ever', '/', 'redirects too often'],
    ['redirects to http', 'http://covers.test/', 'is not https'],
    ['redirects into the network of the shop', 'https://10.0.0.1/', 'does not lead to the public internet'],
    ['redirects to this machine', 'https://[::1]/', 'does not lead to the public internet'],
    ['redirects to nowhere', 'https://', 'cannot be fetched (ERR_INVALID_URL)'],
    ['redirects to a password', 'https://:secret@other.test/', 'has a user or a password'],
  ])('that %s is refused', async (_, location, reason) => {
    answer = (_request, response) => response.writeHead(302, { location }).end();

    await expect(fetchPath('/')).rejects.toThrow(reason);
  });

  const late = 'The image did not arrive within 0.3 seconds.';
  test.each<[string, string, RequestListener]>([
    ['announces too much', 'The image is larger than', sending({ 'content-length': '1000' })],
    ['sends too much', 'The image is larger than', sending({})],
    ['does not answer', late, () => {}],
    ['stops in the middle', late, (_request, response) => response.writeHead(200).write('x')],
    ['has another status', 'answers with status 404.', (_request, response) => response.writeHead(404).end()],
  ])('that %s is given up', async (_, reason, listener) => {
    answer = listener;

    const limits = { ...fetchLimits, maxBytes: 999, timeoutMs: 300 };
    await expect(fetchPath('/', { ...here, limits })).rejects.toThrow(reason);
  });

  test('has a certificate that this machine trusts, no password, and no private address among those of its name', async () => {
    const asked: (string | undefined)[] = [];
    answer = ({ url }, response) => {
      asked.push(url);
      response.end();
    };
    const { ca: _, ...strangers } = here;
    await expect(fetchPath('/', strangers)).rejects.toThrow('The image cannot be fetched (');
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '192.168.1.1', family: 4 },
    ];
    await expect(fetchPath('/', { resolve })).rejects.toThrow('does not lead to the public internet');
    for (const address of ['127.0.0.1', '0x7f.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const fetching = fetchImage(`https://${address}/`);
      await expect(fetching, address).rejects.toThrow('does not lead to the public internet');
    }
    const withPassword = fetchImage(`https://user:secret@covers.test:${port}/`, here);
    await expect(withPassword).rejects.toThrow('has a user or a password');
    expect(asked).toEqual([]);
  });

  test('is asked at the address that was checked, whatever the name leads to next', async () => {
    answer = (_request, response) => response.end('checked');
    let looks = 0;
    const resolve = async () => {
      looks += 1;
      return [{ address: looks === 1 ? '127.0.0.1' : '192.168.1.1', family: 4 }];
    };

    expect([await fetchPath('/', { ...here, resolve }), looks]).toEqual(['checked', 1]);
  });
});

test('an address is public outside the networks that are kept for something else', () => {
  const others = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.0.1', '192.168.0.1'],
    ...['198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8', '64:ff9b::808:808'],
    ...['fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '2002:a00::1', '2001::1', 'localhost', ''],
  ];
  const found = [...others, '8.8.8.8', '172.15.0.1', '2606:4700::1111'].filter(isPublicAddress);
  expect(found).toEqual(['8.8.8.8', '172.15.0.1', '2606:4700::1111']);
});

describe('an import by command', () => {
  let database: Database;
  let worker: ImageWorker;
  beforeEach(async () => {
    database = await (await createStoreDatabase()).open();
    worker = await forThisTest(openImageWorker());
    await mkdir(join(folder, 'csv', 'covers'), { recursive: true });
    await writeFile(join(folder, 'secret'), 'secret');
  });

  const picture = () =>
    sharp({ create: { width: 300, height: 450, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
  const load = (image: string, { isDryRun = false, isFetching = false } = {}) =>
    importBooks(database.db, Readable.from([Buffer.from(`title,author,price,image\nT,A,1,${image}\n`)]), {
      actor: commandActor,
      isDryRun,
      images: storeImages({
        db: database.db,
        worker,
        policy: { storeOrigin: 'https://shop.example', imageOrigins: ['https:'] },
        isDryRun,
        folder: join(folder, 'csv'),
        fetching: isFetching ? here : undefined,
      }),
    });
  const storedImages = () => database.db.selectFrom('images').select(['id', 'width', 'height']).execute();
  const bookImages = async () =>
    (await database.db.selectFrom('books').select('image').execute()).map(({ image }) => image);

  test('stores a file beside the CSV file as an upload, once, and misses none that it makes', async () => {
    await writeFile(join(folder, 'csv', 'covers', 'emma.png'), await picture());

    expect(await load('covers/emma.png', { isDryRun: true })).toMatchObject({ added: 1, missingImages: 0 });
    expect(await storedImages()).toEqual([]);
    expect(await load('covers/emma.png')).toMatchObject({ added: 1, errorCount: 0, missingImages: 0 });

    const [image] = await storedImages();
    expect(image).toMatchObject({ width: 300, height: 450 });
    const address = imageAddress(image?.id ?? '');
    expect(await bookImages()).toEqual([address]);
    expect(await load('covers/emma.png')).toMatchObject({ unchanged: 1 });
    // The file's name is the same as the image address that it gets.
    await database.db.deleteFrom('books').execute();
    await database.db.deleteFrom('images').execute();
    await mkdir(dirname(join(folder, 'csv', 'covers', address)));
    await writeFile(join(folder, 'csv', 'covers', address), await picture());
    expect(await load(`covers${address}`, { isDryRun: true })).toMatchObject({ added: 1, missingImages: 0 });
  });

  test('refuses the file of a row that is no picture, or outside the folder of the CSV file', async () => {
    await writeFile(join(folder, 'csv', 'text.png'), 'no picture');
    await mkdir(join(folder, 'csv-private'));
    await writeFile(join(folder, 'csv-private', 'a.png'), await picture());
    await symlink(join(folder, 'secret'), join(folder, 'csv', 'link.png'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'csv', 'pipe.png')]);

    const reasons = {
      'nothing.png': 'There is no such file.',
      covers: 'There is no such file.',
      'pipe.png': 'There is no such file.',
      'text.png': 'This file is not an image that the store can show.',
      '../secret': 'The file is outside the folder of the CSV file.',
      'link.png': 'The file is outside the folder of the CSV file.',
      '../csv-private/a.png': 'The file is outside the folder of the CSV file.',
      '/etc/hostname': 'a file in the folder of the CSV file.',
      'http://covers.test/a.png': 'a file in the folder of the CSV file.',
    };
    for (const [image, reason] of Object.entries(reasons)) {
      expect(await load(image), image).toMatchObject({
        added: 0,
        errors: [{ line: 2, column: 'image', reason: expect.stringContaining(reason) }],
      });
    }
    expect([await bookImages(), await storedImages()]).toEqual([[], []]);
  });

  test('keeps an address, and with fetching stores what is there, if it is a picture', async () => {
    const bytes = await picture();
    answer = (_request, response) => response.end(bytes);
    const address = `https://covers.test:${port}/emma.png`;

    await load(address);
    expect(await bookImages()).toEqual([address]);
    expect(await load(address, { isFetching: true })).toMatchObject({ changed: 1, errorCount: 0 });

    expect(await bookImages()).toEqual([`/images/${(await storedImages())[0]?.id}.webp`]);
    expect(await load(address, { isFetching: true })).toMatchObject({ unchanged: 1 });
    answer = (_request, response) => response.writeHead(500).end();
    expect(await load(address, { isFetching: true })).toMatchObject({
      unchanged: 0,
      errors: [{ line: 2, column: 'image', reason: 'The address answers with status 500.' }],
    });
  });
});
