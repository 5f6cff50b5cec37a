import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { demoBooks } from '../demo/books.ts';
import { fillCatalogue } from '../demo/catalogue.ts';
import { demoStoreName } from '../demo/identity-provider.ts';
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

  test('with HOST=localhost listens on each of its addresses, and removes the keys of sign-in attempts that nothing needs any more', async () => {
    const addresses = await lookup('localhost', { all: true });

    const statuses = addresses.map(async ({ address, family }) => {
      const host = family === 6 ? `[${address}]` : address;
      return (await fetch(`http://${host}:${store.port}/books`)).status;
    });

    expect(await Promise.all(statuses)).toEqual(addresses.map(() => 200));
    await expect.poll(() => database.db.selectFrom('attempt_keys').select('id').execute()).toEqual([]);
  });

  test('after demo mode sells none of the demo books, and logs their removal once; where any customer may change the catalogue it warns', async () => {
    const provider = await forThisTest(startTestProvider());
    const books = await readJson<Book[]>(await fetch(`${store.origin}/books`));
    await store.stop();
    const later = await start({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      ADMIN_CLAIM: 'realm_access.roles:shop-admin',
    });
    const get = (path: string, cookie = '') =>
      fetch(later.origin + path, { headers: { cookie }, redirect: 'manual' });
    const visitDesk = async (roles: string[]) => {
      provider.claims = { ...provider.claims, realm_access: { roles } };
      const begun = await get(paths.signIn);
      const query = provider.agree(new URL(begun.headers.get('location') ?? ''));
      const finished = await get(`${paths.signInCallback}?${query}`, cookiesOf(begun));
      return (await get(deskPaths.books, cookiesOf(finished))).status;
    };
    const statuses = [await visitDesk(['shop-admin']), await visitDesk(['reader'])];
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
    // Those with the claim alone may change it then.
    expect(statuses).toEqual([200, 403]);
    expect(later.stdout()).not.toMatch(/demo books|"msg":"ADMIN_/);
  });
});

describe('a store that cannot start exits with one sentence', { timeout: 60_000 }, () => {
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

  test('about the demo provider’s port, when a server there sends sign-ins elsewhere', async () => {
    let metadata = {};
    const other = createHttpServer((_request, response) => response.end(JSON.stringify(metadata)));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    endsWithTest(() => other.close());
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
    const settings = { DEMO_IDENTITY_PORT: String(port), DATABASE_URL: testDatabase.url };

    const { exitCode, stderr } = await failToStartStore(settings);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`DEMO_IDENTITY_PORT: ${port} is taken.\n`);
  });

  test.each([
    ['HOST', '192.0.2.1', '"192.0.2.1" is no address of'],
    ['TMPDIR', '/nowhere', 'the temporary folder /nowhere cannot be read and written \\(ENOENT\\)'],
  ])('about %s=%s', async (name, value, sentence) => {
    const settings = { ...externalProvider, DATABASE_URL: testDatabase.url, [name]: value };

    expect((await failToStartStore(settings)).stderr).toMatch(new RegExp(`^${name}: ${sentence}.*\\.\n$`));
  });
});
