import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { demoBooks } from '../demo/books.ts';
import { fillCatalogue } from '../demo/catalogue.ts';
import { demoStoreName } from '../demo/identity-provider.ts';
import { endsWithTest, forThisTest } from './ends-with-test.ts';
import { findFreePort } from './free-ports.ts';
import { externalProvider, failToStartStore, startStore } from './server-process.ts';
import { setUpTestDatabase } from './test-database.ts';
import { client, cookiesOf, startTestProvider } from './test-provider.ts';
import { readJson } from './test-store.ts';

const testDatabase = setUpTestDatabase();

test('a start after demo mode listens under HOST=localhost, sells none of the demo books, and logs their removal once; where any customer may change the catalogue it warns', {
  timeout: 60_000,
}, async () => {
  const { db } = await testDatabase.open();
  await fillCatalogue(db);
  // The owner has added this demo book with another cover.
  const [demoBook] = demoBooks;
  if (!demoBook) throw new Error('the demo has no books');
  const { cover: _, ...details } = demoBook;
  await addBook(db, { ...details, image: 'https://covers.example/own.jpg' }, null);
  const start = async (settings: Record<string, string> = {}) => {
    const started = await startStore({
      ...{ ...externalProvider, HOST: 'localhost', DATABASE_URL: testDatabase.url },
      ...settings,
    });
    endsWithTest(started.kill);
    return started;
  };

  const store = await start();
  const books = await readJson<Book[]>(await fetch(`http://localhost:${store.port}${paths.books}`));
  expect(books.map(({ image }) => image)).toEqual(['https://covers.example/own.jpg']);
  expect(await db.selectFrom('books').select('id').execute()).toHaveLength(demoBooks.length + 1);
  await store.stop();
  expect(store.stdout()).toContain(`"books":${demoBooks.length},"msg":"removed the demo books`);
  expect(store.stdout()).toMatch(/"level":40,.*"msg":"ADMIN_EMAILS is unset/);
  const origin = `http://localhost:${store.port}`;
  expect(store.stdout()).toContain(` is open: ${origin} (desk: ${origin}/desk, database: `);

  // With ADMIN_CLAIM, only customers with the claim may change the catalogue.
  const provider = await forThisTest(startTestProvider());
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
    const cookie = cookiesOf(finished);
    // There is no session, and the log says why.
    if (!cookie) throw new Error(`${finished.status}: ${later.stdout()}`);
    return (await get(deskPaths.books, cookie)).status;
  };
  expect([await visitDesk(['shop-admin']), await visitDesk(['reader'])]).toEqual([200, 403]);
  expect(later.stdout()).not.toMatch(/demo books|"msg":"ADMIN_/);
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
    const port = await findFreePort();
    const issuer = `http://localhost:${port}`;
    const endpoints = { token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
    const authorization_endpoint = `${issuer}@evil.example/authorize`;
    const metadata = { issuer, [demoStoreName]: 'Colophon', ...endpoints, authorization_endpoint };
    const other = createHttpServer((_request, response) => response.end(JSON.stringify(metadata)));
    endsWithTest(() => other.close());
    await once(other.listen(port, '127.0.0.1'), 'listening');
    const settings = { DEMO_IDENTITY_PORT: String(port), DATABASE_URL: testDatabase.url };

    const { exitCode, stderr } = await failToStartStore(settings);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`DEMO_IDENTITY_PORT: ${port} is taken.\n`);
  });

  test('about HOST, when this machine does not have the address', async () => {
    const settings = { ...externalProvider, DATABASE_URL: testDatabase.url, HOST: '192.0.2.1' };

    const { stderr } = await failToStartStore(settings);

    expect(stderr).toBe('HOST: "192.0.2.1" is no address of this machine.\n');
  });
});
