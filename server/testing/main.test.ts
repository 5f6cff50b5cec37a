import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { demoBooks } from '../demo/books.ts';
import { fillCatalogue } from '../demo/catalogue.ts';
import { demoStoreName, startIdentityProvider } from '../demo/identity-provider.ts';
import { endsWithTest, forThisTest } from './ends-with-test.ts';
import { findFreePort } from './free-ports.ts';
import type { ServerProcess } from './server-process.ts';
import { externalProvider, failToStartStore, startStore } from './store-process.ts';
import { createStoreDatabase, isOnPostgres, setUpTestDatabase, type TestDatabase } from './test-database.ts';
import { client, cookiesOf, startTestProvider } from './test-provider.ts';
import { readJson } from './test-store.ts';

const testDatabase = setUpTestDatabase();

describe('a start', () => {
  let shop: TestDatabase;
  let database: Database;
  let store: ServerProcess;
  const start = (settings: Record<string, string> = {}) =>
    startStore({ ...externalProvider, HOST: 'localhost', DATABASE_URL: shop.url, ...settings });
  beforeAll(async () => {
    shop = await createStoreDatabase();
    database = await shop.open();
    const { db } = database;
    await fillCatalogue(db);
    const [demoBook] = demoBooks;
    if (!demoBook) throw new Error('the demo has no books');
    // The same book, added by the owner: its cover differs.
    const { cover: _, ...details } = demoBook;
    await addBook(db, { ...details, image: 'https://covers.example/own.jpg' }, null);
    await db.insertInto('attempt_keys').values({ id: '2026-01-01', secret: 'old', created_at: 0 }).execute();
    store = await start();
    return async () => {
      await store.stop();
      await database.close();
      await shop.remove();
    };
  });

  test('with HOST=localhost listens on each of its addresses', async () => {
    const addresses = await lookup('localhost', { all: true });

    const statuses = addresses.map(async ({ address, family }) => {
      const host = family === 6 ? `[${address}]` : address;
      return (await fetch(`http://${host}:${store.port}/books`)).status;
    });

    expect(await Promise.all(statuses)).toEqual(addresses.map(() => 200));
  });

  test('removes the keys of sign-in attempts that nothing needs any more', async () => {
    await expect.poll(() => database.db.selectFrom('attempt_keys').select('id').execute()).toEqual([]);
  });

  test('after demo mode sells none of the demo books, and logs their removal once; where any customer may change the catalogue it warns', async () => {
    const books = await readJson<Book[]>(await fetch(`${store.origin}/books`));
    await store.stop();
    const later = await start({ ADMIN_EMAILS: 'keeper@example.com' });
    await later.stop();

    expect(books.map(({ image }) => image)).toEqual(['https://covers.example/own.jpg']);
    expect(store.stdout()).toContain(`"books":${demoBooks.length},"msg":"removed the demo books`);
    const rows = await database.db.selectFrom('books').select('id').execute();
    expect(rows).toHaveLength(demoBooks.length + 1);
    expect(store.stdout()).toMatch(/"level":40,.*"msg":"ADMIN_EMAILS is unset/);
    const place = isOnPostgres()
      ? `PostgreSQL at ${new URL(shop.url).host}/`
      : shop.url.replace('sqlite:', '');
    expect(store.stdout()).toContain(
      `(desk: ${store.origin.replace('127.0.0.1', 'localhost')}/desk, database: ${place}`,
    );
    expect(later.stdout()).not.toMatch(/demo|ADMIN_/);
  });
});

test('a store with ADMIN_CLAIM alone admits those with the claim to the desk, and nobody else', async () => {
  const provider = await forThisTest(startTestProvider());
  const store = await startStore({
    DATABASE_URL: testDatabase.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    ADMIN_CLAIM: 'realm_access.roles:shop-admin',
  });
  const get = (path: string, cookie = '') =>
    fetch(store.origin + path, { headers: { cookie }, redirect: 'manual' });
  const visitDesk = async (roles: string[]) => {
    provider.claims = { ...provider.claims, realm_access: { roles } };
    const begun = await get(paths.signIn);
    const query = provider.agree(new URL(begun.headers.get('location') ?? ''));
    const finished = await get(`${paths.signInCallback}?${query}`, cookiesOf(begun));
    return (await get(deskPaths.books, cookiesOf(finished))).status;
  };

  const statuses = [await visitDesk(['shop-admin']), await visitDesk(['reader'])];
  await store.stop();

  expect(statuses).toEqual([200, 403]);
  expect(store.stdout()).not.toContain('"msg":"ADMIN_');
});

test('a store loads no mail client, no client for PostgreSQL or HTTP and no page of the API’s documentation before it needs them', async () => {
  const recorder = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });
    process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));`;
  const main = join(import.meta.dirname, '..', 'serve.ts');
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
  const takePort = async (): Promise<string> => {
    const port = await findFreePort();
    const holder = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    endsWithTest(() => holder.close());
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
    const other = startIdentityProvider({
      host: '127.0.0.1',
      port,
      issuer,
      storeName: 'Another Shop',
      ...client,
      redirectUri: `${issuer}/auth/callback`,
      storeOrigin: issuer,
    });
    await forThisTest(other);
    const settings = { DEMO_IDENTITY_PORT: String(port), DATABASE_URL: testDatabase.url };

    const { stderr } = await failToStartStore(settings);

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

  test.each([
    [
      'an address to listen on that is not of this machine',
      'HOST',
      '192.0.2.1',
      '"192.0.2.1" is no address of',
    ],
    [
      'a temporary folder that is not there',
      'TMPDIR',
      '/nowhere',
      'the temporary folder /nowhere cannot be read and written \\(ENOENT\\)',
    ],
    [
      'a temporary folder in which no file can be made',
      'TMPDIR',
      '/proc',
      'the temporary folder /proc cannot be read and written',
    ],
  ])('about %s', async (_, name, value, sentence) => {
    const settings = { ...externalProvider, DATABASE_URL: testDatabase.url, [name]: value };

    expect((await failToStartStore(settings)).stderr).toMatch(new RegExp(`^${name}: ${sentence}.*\\.\n$`));
  });
});

test('a stop gives up on a request that never ends, and is a normal one', async () => {
  const store = await startStore({ ...externalProvider, DATABASE_URL: testDatabase.url });
  const client = connect({ port: store.port, host: '127.0.0.1' });
  client.write('GET /books HTTP/1.1\r\nHost: loc');
  // The store has read what it has got so far.
  await (await fetch(store.origin + paths.health)).text();

  expect(await store.stop()).toEqual({ exitCode: 0, signal: null });
  client.destroy();
});
