import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { deskPaths } from '../../contract/desk-paths.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { demoBooks } from '../demo/books.ts';
import { fillCatalogue } from '../demo/catalogue.ts';
import { demoStoreName, startIdentityProvider } from '../demo/identity-provider.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import { findFreePort } from './free-ports.ts';
import { externalProvider, failToStartStore, startStore } from './store-process.ts';
import { setUpTestDatabase } from './test-database.ts';
import { client, startTestProvider } from './test-provider.ts';
import { reader, readJson } from './test-store.ts';

const testDatabase = setUpTestDatabase();
let database: Database;
beforeEach(async () => {
  database = await testDatabase.open();
});

test('a store that ran in demo mode before sells none of the demo books, and logs their removal once', async () => {
  await fillCatalogue(database.db);
  const [demoBook] = demoBooks;
  if (!demoBook) throw new Error('the demo has no books');
  // The same book, added by the owner: its cover differs.
  const { cover: _, ...details } = demoBook;
  await addBook(database.db, { ...details, image: 'https://covers.example/own.jpg' }, null);
  const settings = { ...externalProvider, DATABASE_URL: testDatabase.url };

  const first = await startStore(settings);
  const books = await readJson<Book[]>(await fetch(`${first.origin}/books`));
  await first.stop();
  const second = await startStore(settings);
  await second.stop();

  expect(books.map(({ image }) => image)).toEqual(['https://covers.example/own.jpg']);
  expect(first.stdout()).toContain(`"books":${demoBooks.length},"msg":"removed the demo books`);
  expect(second.stdout()).not.toContain('demo');
  const rows = await database.db.selectFrom('books').select('id').execute();
  expect(rows).toHaveLength(demoBooks.length + 1);
});

test('a change of OIDC_ISSUER ends the sessions that began under another one, and logs how many; a restart ends none', {
  // It starts the process several times.
  timeout: 60_000,
}, async () => {
  const settings = { ...externalProvider, DATABASE_URL: testDatabase.url };
  const begin = (sub: string, providerIssuer: string) =>
    startSession(
      database.db,
      { ...reader, issuer: providerIssuer.replace(/\/$/, ''), sub },
      { providerIssuer },
    );
  const subjects = async () =>
    (
      await database.db
        .selectFrom('sessions')
        .innerJoin('customers', 'customers.id', 'sessions.customer_id')
        .select('sub')
        .orderBy('sub')
        .execute()
    ).map(({ sub }) => sub);
  /** Stops the store at once, while it removes old rows. @returns the log's line about ended sessions. */
  const startUnder = async (environment: Record<string, string>): Promise<string | undefined> => {
    const started = await startStore(environment);
    await started.stop();
    expect(started.stdout()).not.toContain('"level":50');
    return started
      .stdout()
      .split('\n')
      .find((line) => line.includes('"sessions":'));
  };
  await begin('demo', 'http://localhost:3001');
  await begin('demo-2', 'http://localhost:3001');
  await begin('shop', 'https://one.example/');

  const shop = await startUnder({ ...settings, OIDC_ISSUER: 'https://one.example' });
  expect(await subjects()).toEqual(['shop']);
  const restarted = await startUnder({ ...settings, OIDC_ISSUER: 'https://one.example' });
  expect(await subjects()).toEqual(['shop']);
  const moved = await startUnder({ ...settings, OIDC_ISSUER: 'https://two.example' });
  expect(await subjects()).toEqual([]);
  await begin('moved', 'https://two.example/');
  const demo = await startUnder({
    DATABASE_URL: testDatabase.url,
    DEMO_IDENTITY_PORT: String(await findFreePort()),
  });

  expect(await subjects()).toEqual([]);
  expect(shop).toContain(
    '"sessions":2,"msg":"ended the sessions that began under another identity provider"',
  );
  expect([restarted, moved, demo]).toEqual([
    undefined,
    expect.stringContaining('"sessions":1'),
    expect.stringContaining('"sessions":1'),
  ]);
});

test('a start removes the keys of sign-in attempts that nothing needs any more', async () => {
  await database.db
    .insertInto('attempt_keys')
    .values({ id: '2026-01-01', secret: 'old', created_at: 0 })
    .execute();

  const store = await startStore({ ...externalProvider, DATABASE_URL: testDatabase.url });

  await expect.poll(() => database.db.selectFrom('attempt_keys').select('id').execute()).toEqual([]);
  await store.stop();
});

test('with HOST=localhost the store listens on each of its addresses', async () => {
  const addresses = await lookup('localhost', { all: true });
  const settings = { ...externalProvider, DATABASE_URL: testDatabase.url, HOST: 'localhost' };

  const store = await startStore(settings);
  const { port } = new URL(store.origin);
  const statuses = await Promise.all(
    addresses.map(async ({ address, family }) => {
      const host = family === 6 ? `[${address}]` : address;
      return (await fetch(`http://${host}:${port}/books`)).status;
    }),
  );
  await store.stop();

  expect(statuses).toEqual(addresses.map(() => 200));
});

test('a store in which any signed-in user may change the catalogue logs a warning', async () => {
  const settings = { ...externalProvider, DATABASE_URL: testDatabase.url };

  const withoutAdmins = await startStore(settings);
  await withoutAdmins.stop();
  const withAdmin = await startStore({ ...settings, ADMIN_EMAILS: 'keeper@example.com' });
  await withAdmin.stop();

  expect(withoutAdmins.stdout()).toMatch(/"level":40,.*"msg":"ADMIN_EMAILS is unset/);
  expect(withAdmin.stdout()).not.toContain('"level":40');
});

test('a store with ADMIN_CLAIM alone admits those with the claim to the desk, and nobody else', async () => {
  const provider = await startTestProvider();
  const store = await startStore({
    DATABASE_URL: testDatabase.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    ADMIN_CLAIM: 'realm_access.roles:shop-admin',
  });
  const get = (path: string, cookie = '') =>
    fetch(store.origin + path, { headers: { cookie }, redirect: 'manual' });
  const cookieOf = (response: Response) => (response.headers.getSetCookie().at(-1) ?? '').split(';', 1)[0];
  const visitDesk = async (roles: string[]) => {
    provider.claims = { ...provider.claims, realm_access: { roles } };
    const begun = await get(paths.signIn);
    const query = provider.agree(new URL(begun.headers.get('location') ?? ''));
    const finished = await get(`${paths.signInCallback}?${query}`, cookieOf(begun));
    return (await get(deskPaths.books, cookieOf(finished))).status;
  };

  const statuses = [await visitDesk(['shop-admin']), await visitDesk(['reader'])];
  await store.stop();
  await provider.close();

  expect(statuses).toEqual([200, 403]);
  expect(store.stdout()).not.toContain('"level":40');
});

test('a store loads no mail client, no client for PostgreSQL or HTTP and no page of the API’s documentation before it needs them', async () => {
  const recorder = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });
    process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));`;
  const main = join(import.meta.dirname, '..', 'main.ts');
  const store = await startStore(
    { ...externalProvider, DATABASE_URL: testDatabase.url },
    { nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(recorder)}`, main] },
  );
  await fetch(`${store.origin}/books`);
  await store.stop();

  const loaded = store.stderr().split('\n');
  expect(loaded).toContainEqual(expect.stringContaining('/node_modules/fastify/'));
  expect(
    loaded.filter((name) => /nodemailer|node_modules\/pg\/|deps\/undici\/undici$|docs-page/.test(name)),
  ).toEqual([]);
});

describe('a store that cannot start exits with one sentence', () => {
  let holders: Server[];
  beforeEach(() => {
    holders = [];
  });
  afterEach(() => {
    for (const holder of holders) holder.close();
  });
  const takePort = async (): Promise<string> => {
    const port = await findFreePort();
    const holder = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    holders.push(holder);
    await once(holder, 'listening');
    return String(port);
  };

  test('about its own port, when the demo provider’s is taken as well, as by another store', async () => {
    const port = await takePort();
    const settings = { PORT: port, DEMO_IDENTITY_PORT: await takePort(), DATABASE_URL: testDatabase.url };

    expect(await failToStartStore(settings)).toEqual({ exitCode: 1, stderr: `PORT: ${port} is taken.\n` });
  });

  test.each([
    ['', {}],
    // As in `npm run dev`: Node sends messages among those of the provider’s process.
    [', and Node watches the files', { WATCH_REPORT_DEPENDENCIES: '1' }],
  ])('about the demo provider’s port, when it is taken%s', async (_, environment) => {
    const demoPort = await takePort();
    const settings = { DEMO_IDENTITY_PORT: demoPort, DATABASE_URL: testDatabase.url, ...environment };

    const { exitCode, stderr } = await failToStartStore(settings);

    expect(exitCode).toBe(1);
    // On a build of Node without long-term support the provider has warned of it before.
    expect(stderr.replace(/^oidc-provider WARNING: Unsupported runtime.*\n/, '')).toBe(
      `DEMO_IDENTITY_PORT: ${demoPort} is taken.\n`,
    );
  });

  test('about the demo provider’s port, when another store’s demo provider has it', async () => {
    const port = await findFreePort();
    const issuer = `http://localhost:${port}`;
    const other = await startIdentityProvider({
      host: '127.0.0.1',
      port,
      issuer,
      storeName: 'Another Shop',
      ...client,
      redirectUri: `${issuer}/auth/callback`,
      storeOrigin: issuer,
    });
    const settings = { DEMO_IDENTITY_PORT: String(port), DATABASE_URL: testDatabase.url };

    const { stderr } = await failToStartStore(settings);
    await other.close();

    expect(stderr).toContain(`DEMO_IDENTITY_PORT: ${port} is taken.\n`);
  });

  test('about the demo provider’s port, when a server there sends sign-ins elsewhere', async () => {
    let metadata = {};
    const other = createHttpServer((_request, response) => response.end(JSON.stringify(metadata)));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const issuer = `http://localhost:${port}`;
    metadata = {
      ...{
        issuer,
        [demoStoreName]: 'Colophon',
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      },
      authorization_endpoint: `${issuer}@evil.example/authorize`,
    };

    const { stderr } = await failToStartStore({
      DEMO_IDENTITY_PORT: String(port),
      DATABASE_URL: testDatabase.url,
    });
    other.close();

    expect(stderr).toContain(`DEMO_IDENTITY_PORT: ${port} is taken.\n`);
  });

  test('about an address to listen on that is not of this machine', async () => {
    const settings = { ...externalProvider, HOST: '192.0.2.1', DATABASE_URL: testDatabase.url };

    expect((await failToStartStore(settings)).stderr).toBe(
      'HOST: "192.0.2.1" is no address of this machine.\n',
    );
  });

  test('about a temporary folder that is not there', async () => {
    const settings = { ...externalProvider, TMPDIR: '/nowhere', DATABASE_URL: testDatabase.url };

    expect((await failToStartStore(settings)).stderr).toBe(
      'TMPDIR: the temporary folder /nowhere cannot be read (ENOENT).\n',
    );
  });

  test('about a SQLite file that is no database, or cannot be opened', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
    const textFile = join(folder, 'text.db');
    await writeFile(textFile, 'This is a letter, and not a database of any kind.'.repeat(100));
    const subfolder = join(folder, 'folder.db');
    await mkdir(subfolder);
    const startError = async (file: string) =>
      (await failToStartStore({ ...externalProvider, DATABASE_URL: `sqlite:${file}` })).stderr;

    expect(await startError(textFile)).toBe(`DATABASE_URL: ${textFile} is no SQLite database.\n`);
    expect(await startError(subfolder)).toBe(`DATABASE_URL: ${subfolder} cannot be opened (EISDIR).\n`);
    expect(await startError(join(textFile, 'store.db'))).toMatch(
      /^DATABASE_URL: the folder of .* cannot be made \(\w+\)\.\n$/,
    );
    await rm(folder, { recursive: true });
  });
});

test.skipIf(process.platform !== 'linux')(
  'forty uploads of 10 MB at once take less than 100 MB of memory',
  {
    timeout: 60_000,
  },
  async () => {
    const picture = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#a03020' } })
      .png()
      .toBuffer();
    const file = new Blob([new Uint8Array(picture), new Uint8Array(10 * 1024 * 1024 - picture.length)]);
    const cookies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        startSession(
          database.db,
          { ...reader, sub: `${index}` },
          { providerIssuer: externalProvider.OIDC_ISSUER },
        ),
      ),
    );
    const store = await startStore({ ...externalProvider, DATABASE_URL: testDatabase.url });
    const memoryMb = async (name: 'VmRSS' | 'VmHWM') => {
      const status = await readFile(`/proc/${store.pid}/status`, 'utf8');
      return Number(status.match(`${name}:\\s+(\\d+)`)?.[1]) / 1024;
    };
    const before = await memoryMb('VmRSS');

    const statuses = await Promise.all(
      cookies.map(async ({ sessionId }) => {
        const body = new FormData();
        body.set('image', file, 'a.png');
        const headers = { cookie: `${sessionCookieName({ isSecure: false })}=${sessionId}` };
        // The store closes the connection of a refused upload. The client may notice that before it reads the response.
        return await fetch(store.origin + paths.upload, { method: 'POST', body, headers }).then(
          ({ status }) => status,
          () => 503,
        );
      }),
    );
    const peak = await memoryMb('VmHWM');
    await store.stop();

    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(8);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(peak - before).toBeLessThan(100);
  },
);

test('a stop gives up on a request that never ends, and is a normal one', async () => {
  const store = await startStore({ ...externalProvider, DATABASE_URL: testDatabase.url });
  const client = connect({ port: store.port, host: '127.0.0.1' });
  client.write('GET /books HTTP/1.1\r\nHost: loc');
  // The store has read what it has got so far.
  await (await fetch(store.origin + paths.health)).text();

  expect(await store.stop()).toEqual({ exitCode: 0, signal: null });
  client.destroy();
});
