import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { imageAddress } from '../contract/image-address.ts';
import { commandActor } from '../server/activity/activity.ts';
import { addBook } from '../server/catalogue/books.ts';
import { deleteBook } from '../server/catalogue/delete-book.ts';
import type { Database } from '../server/database/open.ts';
import type { Db } from '../server/database/tables.ts';
import { storeUpload } from '../server/images/images.ts';
import { startSession } from '../server/sign-in/sessions.ts';
import { addOrders } from '../server/testing/orders.ts';
import { runStatements } from '../server/testing/postgres-server.ts';
import {
  asSuperuser,
  copyDatabase,
  createStoreDatabase,
  isOnPostgres,
  type TestDatabase,
} from '../server/testing/test-database.ts';
import { emma, reader } from '../server/testing/test-store.ts';
import { addEmma } from './testing/database.ts';
import { runShop } from './testing/shop.ts';

/** A shop without faults, of which each test has a copy. */
let healthy: TestDatabase;
let testDatabase: TestDatabase;
/** The database stays open, like that of a running store. */
let database: Database;
beforeAll(async () => {
  healthy = await createStoreDatabase();
  await healthy.use(({ db }) => fillShop(db));
  return healthy.remove;
});
beforeEach(async () => {
  testDatabase = await copyDatabase(healthy.url);
  database = await testDatabase.open();
});

async function fillShop(db: Db): Promise<void> {
  const picture = sharp({ create: { width: 960, height: 960, channels: 3, background: '#c33' } });
  const bytes = await picture.webp().toBuffer();
  const { id } = await storeUpload(
    db,
    { width: 960, height: 960, renditions: [{ width: 960, bytes }], colour: '#000000' },
    'c',
  );
  await addEmma(db);
  await addBook(db, { ...emma, title: 'Die Straße nach Łódź', image: imageAddress(id) }, null);
  await addBook(db, { ...emma, title: '!!!', author: '…' }, null);
  const removed = await addBook(db, { ...emma, title: 'Romola' }, null);
  await deleteBook(db, removed.id, commandActor);
  const { customerId } = await startSession(db, reader, { providerIssuer: reader.issuer });
  const times = ['2025-01-31', '2025-02-01', '2025-02-02'].map((day) => Date.parse(day));
  await addOrders(
    db,
    customerId,
    times.map((at) => ({ at })),
  );
}

const check = (...args: readonly string[]) =>
  runShop(['database', 'check', ...args], { DATABASE_URL: testDatabase.url });

test('a healthy database has a line for each check, and changes nothing', async () => {
  // Litestream makes this table in the file that it replicates.
  if (!isOnPostgres()) await sql`create table _litestream_seq (id integer)`.execute(database.db);

  const { stdout, stderr, exitCode } = await check();

  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^schema: \d+ migrations, \d+ tables, indexes and triggers$/),
    expect.stringMatching(/^integrity: [\d,]+ (pages|indexes)$/),
    'search: 4 books, 3 for sale',
    'images: 1 image, 1 file',
    'copies: 0, 0 of them sold',
    '',
  ]);
});

/** Each line is a fault: a part of the sentence about it, and the statements that plant it. A blank line begins another shop. */
const shopsOf = (lines: string) =>
  lines
    .trim()
    .split(/\n\s*\n/)
    .map((shop) => shop.split('\n').map((line) => line.trim().split(' | ')));
/** The queries for these faults are the same on both engines. */
const shopsWithFaults = shopsOf(String.raw`
  has another search_text than | update books set search_text = ' emily ' where seq = 1
  has another title_sort | update books set title_sort = 'x' where seq = 2
  a start of the store does that | update books set is_indexed = null where seq = 3
  has no file of 960 pixels | delete from image_renditions
  is not on the shelf as its stock says | update books set copies_left = 3 where seq = 1

  ^buyers was not made by the store\.$ | create view buyers as select buyer_email from orders
  ^books_image is missing\.$ | drop index books_image
  ^customers.erased_at is missing\.$ | drop index customers_erased | alter table customers drop column erased_at

  has the image \w{32}, which is missing | delete from image_renditions | delete from images

  is not of this version | delete from kysely_migration where name = (select max(name) from kysely_migration)
`);
const unindexed =
  "insert into books_search (books_search, rowid, search_text) select 'delete', -seq, search_text from books where seq = 1";
const onSqlite = shopsOf(String.raw`
  search does not find it | ${unindexed}
  finds a book 999, which | insert into books_search (rowid, search_text) values (-999, ' emma ')
  Rows of orders that refer to no row of customers: 1 | pragma foreign_keys = off | update orders set customer_id = 'nobody' where id = (select min(id) from orders)

  ^trigger books_search_update is missing | drop trigger books_search_update
  ^trigger evil was not made by the store\.$ | create trigger evil after insert on sessions begin update tokens set revoked_at = null; end
  ^trigger sessions was not made by the store\.$ | create trigger sessions after insert on sessions begin update tokens set revoked_at = null; end
`);
const onPostgres = shopsOf(String.raw`
  ^trigger announce_books is missing\.$ | alter table books disable trigger announce_books
  ^trigger evil was not made by the store\.$ | create trigger evil after insert on sessions execute function announce_books()
  ^rule vile was not made by the store\.$ | create rule vile as on delete to tokens do instead nothing
  ^live\(\) was not made by the store\.$ | create function live() returns int language sql as 'select 1'

  orders_sent is not valid | update pg_index set indisvalid = false where indexrelid = 'orders_sent'::regclass
`);

test('each planted fault is found, and named', { timeout: 60_000 }, async () => {
  const run = async (statement: string) => {
    if (isOnPostgres()) await runStatements(asSuperuser(testDatabase.url), statement);
    else await sql.raw(statement).execute(database.db);
  };
  const faultsIn = async () => {
    const { stderr, exitCode } = await check();
    expect(exitCode).toBe(1);
    return stderr;
  };
  for (const shop of isOnPostgres() ? onPostgres : [...shopsWithFaults, ...onSqlite]) {
    testDatabase = await copyDatabase(healthy.url);
    database = await testDatabase.open();
    for (const [, ...statements] of shop) for (const statement of statements) await run(statement);

    const faults = await faultsIn();

    for (const [sentence = ''] of shop) expect(faults).toMatch(new RegExp(sentence, 'm'));
    await database.close();
    await testDatabase.remove();
  }

  testDatabase = await copyDatabase(healthy.url);
  database = await testDatabase.open();
  const picture = await database.db.selectFrom('image_renditions').select('bytes').executeTakeFirstOrThrow();
  const bytes = new Uint8Array(picture.bytes);
  const change = (bytes: Uint8Array) => database.db.updateTable('image_renditions').set({ bytes }).execute();
  await change(bytes.subarray(0, -1));
  expect(await faultsIn()).toMatch('960 pixels that is no whole WebP file');
  await change(bytes.with(-1, 255 - (bytes.at(-1) ?? 0)));
  expect(await faultsIn()).toMatch('whose hash is another');
});

test('of many faults twenty are listed', async () => {
  const book = { ...emma, image: imageAddress(randomBytes(16).toString('hex')) };
  for (let number = 0; number < 25; number += 1) await addBook(database.db, book, null);

  const { stdout, exitCode } = await check('--json');

  const search = JSON.parse(stdout).find(({ name }: { name: string }) => name === 'search');
  expect(search.faults).toHaveLength(20);
  expect({ faultCount: search.faultCount, exitCode }).toEqual({ faultCount: 25, exitCode: 1 });
  expect((await check()).stderr).toMatch(/and 5 more of search\n$/);
});
