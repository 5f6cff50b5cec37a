/** The proxies' configurations of deploy/, with the addresses of this machine, before a real store. */

import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths } from '../../contract/paths.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import { certificate, key } from '../../server/testing/certificate.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { openTestStore, reader, type TestStore } from '../../server/testing/test-store.ts';
import { createMachine, killMachine, waitFor } from './machines.ts';
import { findProxy, type ProxyName, startProxy } from './proxies.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const shopHost = 'shop.example';

type Addresses = { folder: string; httpPort: number; httpsPort: number; storePort: number };

/** The texts that are replaced in each configuration. Everything else runs as it stands in the file. */
const proxies: Record<
  ProxyName,
  {
    file: string;
    replaced(addresses: Addresses): readonly [from: RegExp, to: string][];
    /** The certificate that its clients trust. */
    trusted: string;
    requestId: RegExp;
    redirectStatus: number;
    /** True if the proxy limits reads, which the store does not. */
    hasLimit: boolean;
  }
> = {
  nginx: {
    file: 'nginx.conf',
    replaced: ({ folder, httpPort, httpsPort, storePort }) => [
      [/server 127\.0\.0\.1:3000;/, `server 127.0.0.1:${storePort};`],
      [/books\.example/g, shopHost],
      [/ listen 80;/, ` listen 127.0.0.1:${httpPort};`],
      [/ listen 443 /, ` listen 127.0.0.1:${httpsPort} `],
      [/ listen \[::\]:80;/, ''],
      [/ listen \[::\]:443 .*/, ''],
      [/ssl_certificate .*;/, `ssl_certificate ${folder}/certificate.pem;`],
      [/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`],
    ],
    trusted: 'certificate.pem',
    requestId: /^[\da-f]{32}$/,
    redirectStatus: 301,
    hasLimit: true,
  },
  HAProxy: {
    file: 'haproxy.cfg',
    replaced: ({ folder, httpPort, httpsPort, storePort }) => [
      [/bind :80\n/, `bind 127.0.0.1:${httpPort}\n`],
      [/bind :443 ssl crt \S+/, `bind 127.0.0.1:${httpsPort} ssl crt ${folder}/both.pem`],
      [/10\.0\.0\.1:3000/g, `127.0.0.1:${storePort}`],
      [/10\.0\.0\.2:3000/g, `127.0.0.1:${storePort}`],
    ],
    trusted: 'certificate.pem',
    requestId: /^[\da-f]{8}-[\da-f-]{27}$/,
    redirectStatus: 301,
    hasLimit: true,
  },
  Caddy: {
    file: 'Caddyfile',
    replaced: ({ folder, httpPort, httpsPort, storePort }) => [
      [/\{\$SHOP_HOST\}/, shopHost],
      // A certificate of its own authority, and no file elsewhere.
      [
        /^/,
        `{\nhttp_port ${httpPort}\nhttps_port ${httpsPort}\nadmin off\nlocal_certs\nskip_install_trust\nstorage file_system ${folder}\n}\n`,
      ],
      [/store-1:3000/g, `127.0.0.1:${storePort}`],
      [/store-2:3000/g, `127.0.0.1:${storePort}`],
    ],
    trusted: 'pki/authorities/local/root.crt',
    requestId: /^[\da-f]{8}-[\da-f-]{27}$/,
    redirectStatus: 308,
    hasLimit: false,
  },
};

async function writeCertificate(folder: string): Promise<void> {
  await writeFile(join(folder, 'certificate.pem'), `${certificate}\n`);
  await writeFile(join(folder, 'key.pem'), `${key}\n`);
  await writeFile(join(folder, 'both.pem'), `${certificate}\n${key}\n`);
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(() => resolve(true)));
    socket.on('error', () => resolve(false));
  });

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

describe.each(['nginx', 'HAProxy', 'Caddy'] as const)('behind %s', { timeout: 60_000 }, (name) => {
  const { file, replaced, trusted, requestId, redirectStatus, hasLimit } = proxies[name];
  const isInstalled = findProxy(name) !== undefined;
  let folder: string;
  let store: TestStore;
  let lines: string[];
  let httpPort: number;
  let httpsPort: number;
  let ca: string;
  let agent: Agent;
  beforeAll(async () => {
    if (!isInstalled) return;
    folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
    lines = [];
    store = await openTestStore({
      database: readDatabaseSettings({ DATABASE_URL: `sqlite:${join(folder, 'store.db')}` }),
      settings: {
        publicUrl: new URL(`https://${shopHost}`),
        trustedProxies: ['127.0.0.1/32'],
        adminEmails: [reader.email],
      },
      onLog: (line) => lines.push(line),
    });
    const machine = createMachine(folder, name);
    await writeCertificate(machine.folder);
    [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
    const addresses = {
      folder: machine.folder,
      httpPort,
      httpsPort,
      storePort: Number(new URL(store.origin).port),
    };
    let configuration = await readFile(join(deploy, file), 'utf8');
    for (const [from, to] of replaced(addresses)) {
      expect(configuration).toMatch(from);
      configuration = configuration.replace(from, to);
    }
    startProxy(machine, name, configuration);
    agent = new Agent({ keepAlive: true, maxSockets: 8 });
    await waitFor(name, () => isListening(httpsPort), 30_000);
    // Caddy makes its certificate once it listens, and each proxy asks the store whether it is ready.
    await waitFor(
      `${name} and the store`,
      async () => {
        ca = await readFile(join(machine.folder, trusted), 'utf8').catch(() => '');
        return await send(paths.books).then(
          ({ status }) => status === 200,
          () => false,
        );
      },
      30_000,
    );
  });
  afterAll(async () => {
    if (!isInstalled) return;
    agent?.destroy();
    await killMachine({ folder });
    await store?.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(({ skip }) => skip(!isInstalled, `${name} is not installed`));

  /** Sends a request to the shop, through the proxy. */
  const send = (
    path: string,
    { body, headers, ...options }: RequestOptions & { body?: Uint8Array | string } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: httpsPort,
          servername: shopHost,
          path,
          ca,
          agent: false,
          method: body === undefined ? 'GET' : 'POST',
          headers: { host: shopHost, origin: `https://${shopHost}`, ...headers },
          ...options,
        },
        (response) => {
          const { statusCode: status = 0, headers } = response;
          text(response).then((body) => resolve({ status, headers, body }), reject);
        },
      );
      sent.on('error', reject).end(body);
    });

  test('http is redirected to https', async () => {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: httpPort, path: '/orders?a=b', headers: { host: shopHost } };
      requestHttp(options, (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response).then((body) => resolve({ status, headers, body }), reject);
      })
        .on('error', reject)
        .end();
    });

    expect(answer.status).toBe(redirectStatus);
    // Caddy's redirect names its port, which differs from the usual one here.
    expect(answer.headers.location?.replace(`:${httpsPort}`, '')).toBe(`https://${shopHost}/orders?a=b`);
  });

  test('the pages are served', async () => {
    expect(await send('/')).toMatchObject({ status: 200, body: expect.stringContaining('<div id="root">') });
  });

  test.each([
    ...[paths.metrics, paths.readiness, paths.health],
    ...['/%6detrics', '/read%79z', '/%68ealthz', '/readyz?a=b'],
  ])('%s is hidden from the public', async (path) => {
    const { status, headers } = await send(path);

    expect(status).toBe(404);
    expect(headers['content-type'] ?? '').not.toContain('problem');
  });

  test('a problem has the id that the proxy gave its request, whatever the client sends', async () => {
    const answer = await send(paths.book('unknown'), { headers: { 'x-request-id': 'chosen' } });

    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body).requestId).toMatch(requestId);
    expect(answer.headers['x-request-id']).toBe(JSON.parse(answer.body).requestId);
  });

  test('the log has the address of the client', async ({ skip }) => {
    skip(process.platform !== 'linux', 'only Linux has each address of 127.0.0.0/8');
    const options = { localAddress: '127.0.0.9', headers: { 'x-forwarded-for': '203.0.113.9' } };

    const answer = await send(paths.addBook, { ...options, body: '{}' });

    const { requestId: id } = JSON.parse(answer.body);
    const line = lines.find((one) => one.includes(id)) ?? '{}';
    expect({ status: answer.status, ip: JSON.parse(line).ip }).toEqual({ status: 401, ip: '127.0.0.9' });
  });

  test('connections to the store are used again', async () => {
    const sockets = new Set<Socket>();
    const note = ({ url, socket }: { url?: string; socket: Socket }) => {
      if (url === paths.session) sockets.add(socket);
    };
    store.app.server.on('request', note);

    for (let count = 0; count < 20; count += 1) await send(paths.session, { agent });

    store.app.server.off('request', note);
    expect(sockets.size).toBeGreaterThan(0);
    expect(sockets.size).toBeLessThan(5);
  });

  test('an upload of 10 MB passes, and one of 12 MB is refused with 413', async () => {
    const cookie = await store.signIn();
    const picture = await sharp({ create: { width: 60, height: 90, channels: 3, background: '#a03020' } })
      .jpeg()
      .toBuffer();
    const upload = async (megabytes: number) => {
      const form = new FormData();
      form.set('key', 'colophon');
      // Bytes after the picture are ignored.
      form.set('image', new Blob([picture, Buffer.alloc(megabytes * 1024 * 1024 - picture.length)]), 'a.jpg');
      const encoded = new Response(form);
      const headers = { cookie, 'content-type': encoded.headers.get('content-type') ?? '' };
      return await send(paths.upload, { headers, body: new Uint8Array(await encoded.arrayBuffer()) });
    };

    expect(await upload(10)).toMatchObject({ status: 200 });
    expect((await upload(12)).status).toBe(413);
  });

  test('an import of 20 MB passes', async () => {
    const cookie = await store.signIn(reader);
    const columns = 'title,author,price,image\n';
    const row = 'Emma,Jane Austen,12.99,https://covers.example/1.jpg\n';
    // The file has few rows: their titles are too long to be imported.
    const long = `${'Emma '.repeat(12_000)},Jane Austen,12.99,https://covers.example/1.jpg\n`;
    const body = columns + row + long.repeat((20 * 1024 * 1024) / long.length);

    const answer = await send(deskPaths.booksImport, {
      headers: { cookie, 'content-type': 'text/csv' },
      body,
    });

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'result',
      added: 1,
    });
  });

  // nginx asks no node.
  if (name !== 'nginx') {
    test('while no node is ready, the nodes still answer', async () => {
      let checks = 0;
      const count = ({ url }: { url?: string }) => {
        if (url === paths.readiness) checks += 1;
      };
      // A store whose database file is missing is not ready.
      const file = join(folder, 'store.db');
      await rename(file, `${file}-away`);
      store.app.server.on('request', count);
      // Two nodes, each out after two checks that fail at most.
      await waitFor('checks of both nodes', async () => checks >= 8, 20_000);
      store.app.server.off('request', count);

      const [page, readiness] = [await send(paths.books), await store.call(paths.readiness)];

      await rename(`${file}-away`, file);
      expect([page.status, readiness.status]).toEqual([200, 503]);
    });
  }

  if (!hasLimit) return;

  // This test is last: it uses up the limit.
  test('reads are limited with 429, and a client that keeps trying gets answers again', async () => {
    const send100 = async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => send(paths.books, { agent })));
      return answers.map(({ status }) => status);
    };
    const statuses = new Set<number>();
    for (let sent = 0; sent < 3_000 && !statuses.has(429); sent += 100) {
      for (const status of await send100()) statuses.add(status);
    }

    expect([...statuses].toSorted()).toEqual([200, 429]);
    // Refused requests must not count: in HAProxy's ten seconds the client would stay above the limit.
    await expect.poll(send100, { timeout: 30_000, interval: 0 }).toContain(200);
  });
});
