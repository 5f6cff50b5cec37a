import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { addBook } from '../catalogue/books.ts';
import { type Database, openDatabase } from '../database/open.ts';
import { demoBooks } from '../demo/books.ts';
import { fillEmptyShelf } from '../demo/catalogue.ts';
import { findFreePort } from './free-ports.ts';
import { openStoreProcess, startInVain } from './store-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { readJson } from './test-store.ts';

const provider = { OIDC_ISSUER: 'http://localhost:1', OIDC_CLIENT_ID: 'shop', OIDC_CLIENT_SECRET: 'secret' };

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.settings);
});
afterEach(async () => {
  await database.close();
  await testDatabase.remove();
});

test('a shop that was tried out in demo mode sells none of the demo books, and says so once', async () => {
  await fillEmptyShelf(database.db);
  const [demoBook] = demoBooks;
  if (!demoBook) throw new Error('the demo has no books');
  // Of the same title, and with a cover of its own.
  await addBook(database.db, { ...demoBook, image: 'https://covers.example/own.jpg' }, null);
  const env = { ...provider, DATABASE_URL: testDatabase.url };

  const first = await openStoreProcess(env);
  const books = await readJson<Book[]>(await fetch(`${first.origin}/books`));
  await first.stop();
  const second = await openStoreProcess(env);
  await second.stop();

  expect(books.map(({ image }) => image)).toEqual(['https://covers.example/own.jpg']);
  expect(first.said()).toContain(`"books":${demoBooks.length},"msg":"removed the demo books`);
  expect(second.said()).not.toContain('demo');
  const kept = await database.db.selectFrom('books').select('id').execute();
  expect(kept).toHaveLength(demoBooks.length + 1);
});

test('a shop in which whoever signs in is an admin is warned of it', async () => {
  const env = { ...provider, DATABASE_URL: testDatabase.url };

  const open = await openStoreProcess(env);
  await open.stop();
  const closed = await openStoreProcess({ ...env, ADMIN_EMAILS: 'keeper@example.com' });
  await closed.stop();

  expect(open.said()).toMatch(/"level":40,.*"msg":"ADMIN_EMAILS is unset/);
  expect(closed.said()).not.toContain('"level":40');
});

describe('a start that cannot succeed says so in one sentence', () => {
  let holders: Server[];
  beforeEach(() => {
    holders = [];
  });
  afterEach(() => {
    for (const holder of holders) holder.close();
  });
  const takePort = async (): Promise<string> => {
    const port = await findFreePort();
    const holder = createServer().listen(port, '127.0.0.1');
    holders.push(holder);
    await once(holder, 'listening');
    return String(port);
  };

  test('when both ports are taken, as by a store that is open already: the store’s own', async () => {
    const port = await takePort();
    const env = { PORT: port, DEMO_IDENTITY_PORT: await takePort(), DATABASE_URL: testDatabase.url };

    expect(await startInVain(env)).toEqual({ exitCode: 1, complained: `PORT: ${port} is taken.\n` });
  });

  test('when the demo provider’s port is taken', async () => {
    const demoPort = await takePort();
    const env = {
      PORT: String(await findFreePort()),
      DEMO_IDENTITY_PORT: demoPort,
      DATABASE_URL: testDatabase.url,
    };

    expect(await startInVain(env)).toEqual({
      exitCode: 1,
      complained: `DEMO_IDENTITY_PORT: ${demoPort} is taken.\n`,
    });
  });

  test('when the address to listen on is another machine’s', async () => {
    const env = { ...provider, HOST: '192.0.2.1', DATABASE_URL: testDatabase.url };

    expect((await startInVain(env)).complained).toBe('HOST: "192.0.2.1" is no address of this machine.\n');
  });

  test('when the SQLite file is none, or nothing can be written there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
    const text = join(folder, 'text.db');
    await writeFile(text, 'This is a letter, and not a database of any kind.'.repeat(100));
    const place = join(folder, 'folder.db');
    await mkdir(place);
    const complaint = async (file: string) =>
      (await startInVain({ ...provider, PORT: String(await findFreePort()), DATABASE_URL: `sqlite:${file}` }))
        .complained;

    expect(await complaint(text)).toBe(`DATABASE_URL: ${text} is no SQLite database.\n`);
    expect(await complaint(place)).toBe(`DATABASE_URL: ${place} cannot be opened.\n`);
    expect(await complaint(join(text, 'store.db'))).toMatch(
      /^DATABASE_URL: the folder of .* cannot be made \(\w+\)\.\n$/,
    );
    await rm(folder, { recursive: true });
  });
});
