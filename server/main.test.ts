import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Book } from '../contract/book.ts';
import { addBook } from './catalogue/books.ts';
import { type Database, openDatabase } from './database/open.ts';
import { demoBooks } from './demo/books.ts';
import { fillEmptyShelf } from './demo/catalogue.ts';
import { readJson } from './testing/open-test-store.ts';
import { openStoreProcess } from './testing/store-process.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

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
  expect(first.said()).toContain(
    `"books":${demoBooks.length},"msg":"the demo books were taken off the shelf`,
  );
  expect(second.said()).not.toContain('demo');
  const kept = await database.db.selectFrom('books').select('id').execute();
  expect(kept).toHaveLength(demoBooks.length + 1);
});
