import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { commandActor } from '../server/activity/activity.ts';
import { listBooks } from '../server/catalogue/book-list.ts';
import { addBook } from '../server/catalogue/books.ts';
import { deleteBook } from '../server/catalogue/delete-book.ts';
import { type Database, type DatabaseSettings, openDatabase } from '../server/database/open.ts';
import { listOrders } from '../server/orders/orders.ts';
import { placeOrder } from '../server/orders/place-order.ts';
import { searchPatterns } from '../server/search/search-text.ts';
import { readDatabaseSettings } from '../server/settings/settings.ts';
import { changePage } from '../server/shop-pages/shop-pages.ts';
import { findCustomer, startSession } from '../server/sign-in/sessions.ts';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { runStatements } from '../server/testing/postgres-server.ts';
import { createTestDatabase, type TestDatabase } from '../server/testing/test-database.ts';
import { emma, reader } from '../server/testing/test-store.ts';
import { addEmma, addLargeImages, killWhen } from './testing/database.ts';
import { outcomeOf, runShop, startShop } from './testing/shop.ts';

/** A SQLite file with a small shop, and an empty PostgreSQL. */
let source: { url: string; settings: DatabaseSettings };
let target: TestDatabase;
let sessionId: string;
const policy = { providerIssuer: reader.issuer, adminEmails: [], adminClaim: undefined };
beforeEach(async () => {
  const url = `sqlite:${join(await makeFolder(), 'store.db')}`;
  source = { url, settings: readDatabaseSettings({ DATABASE_URL: url }) };
  target = await createTestDatabase();
  await within(source, async ({ db }) => {
    await addEmma(db);
    await changePage(db, 'imprint', { markdown: '# Imprint' }, commandActor);
    await addBook(db, { ...emma, title: 'Die Straße nach "Łódź", \\ {紅樓夢}', keywords: null }, null);
    const removed = await addBook(db, { ...emma, title: 'Romola' }, null);
    await deleteBook(db, removed.id, commandActor);
    const session = await startSession(db, reader, { providerIssuer: reader.issuer });
    sessionId = session.sessionId;
    const order = { ...emma, time: new Date().toDateString() };
    await placeOrder(db, { ...reader, id: session.customerId }, order, {
      ...{ idempotencyKey: 'k', senders: { mail: true, webhooks: true } },
    });
    await addLargeImages(db, 2);
  });
});

async function within<Result>(
  { settings }: { settings: DatabaseSettings },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(settings);
  return await work(database).finally(() => database.close());
}
const copy = (to = target.url, ...args: readonly string[]) =>
  runShop(['database', 'copy', '--to', to, ...args], { DATABASE_URL: source.url });
const start = () => startShop(['database', 'copy', '--to', target.url], { DATABASE_URL: source.url });
const query = (text: string) => runStatements(target.url, text);
test('a database with a store is refused, and loses nothing', async () => {
  await target.use(async ({ db }) => {
    await addBook(db, { ...emma, title: 'Sold on the new server' }, null);
  });

  const { stderr, exitCode } = await copy();

  expect({ stderr, exitCode }).toEqual({ stderr: '--to: this database has a store already.\n', exitCode: 1 });
  expect(await query('select title from books')).toEqual([{ title: 'Sold on the new server' }]);
});

test('everything is copied and compared, and a store goes on with it', async () => {
  // Litestream makes such a table in the file that it replicates.
  const foreign = sql`create table _litestream_seq (id integer primary key, seq integer)`;
  await within(source, ({ db }) => foreign.execute(db));

  const { stdout, stderr, exitCode } = await copy(target.url, '--json');

  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const tables: { name: string; rows: number }[] = JSON.parse(stdout);
  const rows = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
  expect(rows).toMatchObject({
    books: 3,
    customers: 1,
    pages: 1,
    sessions: 1,
    orders: 1,
    outbox: 3,
    images: 2,
    image_renditions: 2,
  });
  const made = await query(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  expect([...Object.keys(rows), 'kysely_migration'].sort()).toEqual(made.map(({ name }) => name).sort());
  await target.use(async ({ db }) => {
    const customer = await findCustomer(db, sessionId, policy);
    expect(customer).toMatchObject({ email: reader.email });
    const { orders } = await listOrders(db, customer?.id ?? '', { limit: 10 });
    expect(orders).toMatchObject([{ title: 'Emma' }]);
    await addBook(db, { ...emma, title: 'Persuasion' }, null);
    const list = { sort: 'newest', limit: 10, patterns: searchPatterns('austen'), after: undefined } as const;
    const titles = (await listBooks(db, list)).books.map(({ title }) => title);
    expect(titles).toEqual(['Persuasion', 'Die Straße nach "Łódź", \\ {紅樓夢}', 'Emma']);
  });
  const check = await runShop(['database', 'check'], { DATABASE_URL: target.url });
  // The pictures of this test are not in the WebP format.
  expect(check.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('The image'))).toEqual([]);
});

test('kill -9 in the middle leaves the other database empty, and the next copy begins anew', {
  timeout: 120_000,
}, async () => {
  await within(source, ({ db }) => addLargeImages(db, 10));
  const isCopying =
    "select from pg_stat_activity where datname = current_database() and query ilike 'insert%'";

  expect(await killWhen(start(), async () => (await query(isCopying)).length > 0)).toBe(true);

  expect(await query("select to_regclass('books') as books")).toEqual([{ books: null }]);
  await within(source, ({ db }) => db.updateTable('customers').set({ name: 'Another' }).execute());
  await expect.poll(() => copy(), { timeout: 20_000 }).toMatchObject({ stderr: '', exitCode: 0 });
  expect(await query('select name from customers')).toEqual([{ name: 'Another' }]);
  expect(await query('select id from images')).toHaveLength(12);
});

test('while a store runs nothing is copied', async () => {
  const { stdout, stderr, exitCode } = await within(source, () => outcomeOf(start()));

  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(/ is in use by another process: stop the store first\.\n$/);
  expect(await query("select to_regclass('books') as books")).toEqual([{ books: null }]);
});

test('what --to cannot be is one sentence without the password', async () => {
  for (const [url, exitCode, sentence] of [
    ['postgres://u:secret@127.0.0.1:1/x', 1, 'PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED).'],
    ['mysql://u:secret@127.0.0.1/x', 2, 'must be postgres://…; --help lists the options.'],
    ['postgres://u:secret@[/x', 2, 'must be postgres://…; --help lists the options.'],
  ] as const) {
    expect(await copy(url)).toEqual({ stdout: '', stderr: `--to: ${sentence}\n`, exitCode });
  }
});
