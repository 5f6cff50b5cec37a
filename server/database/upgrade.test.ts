/**
 * Databases that other versions of the store made. The fixtures hold a small shop that the first release (commit
 * 33925e1) made on SQLite, and the same rows on PostgreSQL.
 */

import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DummyDriver, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ListOrder, listBooks } from '../catalogue/book-list.ts';
import { addBook, findBook } from '../catalogue/books.ts';
import { restoreBook } from '../catalogue/delete-book.ts';
import { indexBooks } from '../catalogue/index-books.ts';
import { findRendition } from '../images/images.ts';
import { listOrders } from '../orders/orders.ts';
import { placeOrder } from '../orders/place-order.ts';
import { searchPatterns } from '../search/search-text.ts';
import { findCustomer } from '../sign-in/sessions.ts';
import { runStatements } from '../testing/postgres-server.ts';
import {
  createStoreDatabase,
  createTestDatabase,
  fileOf,
  isOnPostgres,
  run,
  setUpTestDatabase,
} from '../testing/test-database.ts';
import { compareSchema } from './archive/schema.ts';
import { listApplied } from './migrate.ts';
import * as migrations from './migrations/index.ts';
import { type Database, openDatabase } from './open.ts';
import { openErrorMessage } from './open-error.ts';
import type { Db } from './tables.ts';

const firstMigration = '0001-books-customers-orders-images';
const fixtures = join(import.meta.dirname, 'fixtures');

const testDatabase = setUpTestDatabase(createTestDatabase);
const open = () => testDatabase.open();

async function restoreFixture({ url }: { url: string } = testDatabase): Promise<void> {
  if (isOnPostgres()) await runStatements(url, await readFile(join(fixtures, '0001.postgres.sql'), 'utf8'));
  else await writeFile(fileOf(url), gunzipSync(await readFile(join(fixtures, '0001.sqlite.gz'))));
}

describe('a database that the first release made', () => {
  beforeEach(() => restoreFixture());

  test('is brought up to date by a start, which reports it once, and by nothing else', async () => {
    const applied: (readonly string[])[] = [];
    const onMigrated = (names: readonly string[]) => applied.push(names);

    await expect(openDatabase(testDatabase.settings, { isReadAsItIs: true })).rejects.toThrow(
      'is not of this version of the store',
    );
    expect(await run(testDatabase, 'select name from kysely_migration')).toEqual([{ name: firstMigration }]);
    for (let start = 0; start < 2; start += 1) {
      const { close } = await openDatabase(testDatabase.settings, { onMigrated });
      await close();
    }

    expect(applied).toEqual([Object.keys(migrations).slice(1)]);
    const { db, close } = await openDatabase(testDatabase.settings, { isReadAsItIs: true });
    expect((await compareSchema(db, await listApplied(db))).faults).toEqual([]);
    await close();
  });

  test('stays as it was when the start is killed between two migrations, and the next start begins again', async () => {
    const script = join(import.meta.dirname, '..', 'testing', 'open-and-close.ts');
    const names = Object.keys(migrations).slice(1);
    const announced: string[] = [];

    const killed = fork(script, [JSON.stringify(testDatabase.settings), names.at(-1) ?? '']);
    expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
    const afterKill = await run(testDatabase, 'select name from kysely_migration');
    const onMigration = (name: string) => announced.push(name);
    const { close } = await openDatabase(testDatabase.settings, { onMigration });
    await close();

    expect(afterKill).toEqual([{ name: firstMigration }]);
    expect(announced).toEqual(names);
  });

  test('is refused with one sentence when something else has made a half of what a migration makes', async () => {
    await run(testDatabase, 'create table tokens (name text)');

    const error = await open().catch((error: unknown) => openErrorMessage(error, testDatabase.settings));

    expect(error).toMatch(
      /^DATABASE_URL: .* could not be brought up to date by the migration 0005-desk: .*tokens.* already exists\. It is unchanged\.$/,
    );
    expect(await run(testDatabase, 'select name from kysely_migration')).toEqual([{ name: firstMigration }]);
  });
});

describe('a database that the first release made, and a start has brought up to date,', () => {
  const at = Date.UTC(2026, 10, 21, 16);
  const removedBook = '01a1fea9-6161-719a-97d6-75ae8e63bfde';
  const readerSession = 'wdjx6IBDYijDtHlpO5gjXyEoifUrWUw_O9xpbI1BlmI';
  const signedOutSession = 'bggVUVo5BwWaMBgtTffhDj34aAiNPVqZ_pR3eMpFHwg';
  const policy = { providerIssuer: 'https://identity.example/', adminEmails: [], adminClaim: undefined };
  let database: Database;
  beforeAll(async () => {
    const upgraded = await createTestDatabase();
    await restoreFixture(upgraded);
    database = await upgraded.open();
    await indexBooks(database.db);
    return async () => {
      await database.close();
      await upgraded.remove();
    };
  });

  const titlesOf = async (query = '', sort: ListOrder = 'newest') => {
    const list = { sort, limit: 10, patterns: searchPatterns(query), after: undefined };
    return (await listBooks(database.db, list)).books.map(({ title }) => title);
  };
  const [silas, lodz, dream] = ['Silas Marner', 'Die Straße nach Łódź', '紅樓夢'];
  const [crime, middlemarch] = ['Преступление и наказание', 'Middlemarch'];

  test('keeps its books with their images, in each order, and the removed one out of sale', async () => {
    expect(await titlesOf()).toEqual([silas, lodz, dream, crime, middlemarch]);
    // Titles sort without their articles, authors by their surnames.
    expect(await titlesOf('', 'title')).toEqual([middlemarch, silas, lodz, crime, dream]);
    expect(await titlesOf('', 'author')).toEqual([dream, crime, middlemarch, silas, lodz]);
    const image = 'e46893521d1d6c294b5bcf82a040598f';
    const kept = { title: middlemarch, author: 'George Eliot', image: `/images/${image}.webp` };
    expect(await findBook(database.db, '01a1fea9-612f-771d-b0a0-065720d8ca2a')).toMatchObject({
      ...{ ...kept, priceCents: 1299, copiesLeft: null },
    });
    expect(await findBook(database.db, removedBook)).toBeUndefined();
    const digests = ([240, 480, 960] as const).map(async (width) =>
      hash('sha256', (await findRendition(database.db, image, width))?.bytes ?? '').slice(0, 8),
    );
    expect(await Promise.all(digests)).toEqual(['570cae03', '7a01e521', '7a01e521']);
  });

  test('finds in a search what it found before', async () => {
    const found = {
      'george eliot': [silas, middlemarch],
      достоев: [crime],
      樓: [dream],
      'lodz oneill': [lodz],
      prestuplenie: [crime],
      红楼梦: [dream],
      'adam bede': [],
    };
    for (const [query, titles] of Object.entries(found)) {
      expect(await titlesOf(query), query).toEqual(titles);
      expect((await titlesOf(query, 'title')).sort(), query).toEqual([...titles].sort());
    }
  });

  test('keeps sessions, the end of one, and orders, and returns an earlier order for its idempotency key', async () => {
    const { db } = database;
    const { id, ...request } = {
      id: '01a1fea9-62bd-768e-a20e-ebaf19ea25ed',
      title: 'Adam Bede',
      author: 'George Eliot',
      priceCents: 850,
      time: 'Sat Nov 21 2026',
    };
    const key = { idempotencyKey: 'key-of-the-first-order' };

    const reader = await findCustomer(db, readerSession, policy, at);
    expect(reader).toEqual({
      id: '01a1fea9-5fd2-7677-b071-102129f81e92',
      issuer: 'https://identity.example',
      sub: 'reader',
      email: 'reader@example.com',
      isEmailVerified: false,
      name: '紅 Reader',
      photo: 'https://photos.example/reader.png',
      adminClaim: null,
    });
    expect(await findCustomer(db, signedOutSession, policy, at)).toBeUndefined();
    if (!reader) throw new Error('the session is gone');
    const { orders } = await listOrders(db, reader.id, { limit: 10 });
    expect(orders.map(({ title }) => title)).toEqual([dream, 'Adam Bede']);
    // Old orders keep no days, so their buyers see no button.
    for (const order of orders) expect(order).toMatchObject({ withdrawalDays: null, withdrawnAt: null });
    expect(await placeOrder(db, reader, request, key)).toMatchObject({
      ...{ id, deliveryAddress: null },
      ...request,
    });
    await expect(placeOrder(db, reader, { ...request, priceCents: 1 }, key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('has its removed book in the audit trail, and finds it when it is restored', async () => {
    expect(await database.db.selectFrom('activity').selectAll().execute()).toMatchObject([
      {
        ...{ at: 1795273876297, action: 'book-deleted', book_id: removedBook, book_title: 'Adam Bede' },
        ...{ customer_id: '01a1fea9-5fc8-7586-8ade-c236abee2ef0', customer_email: 'keeper@example.com' },
      },
    ]);

    await restoreBook(database.db, removedBook, { customerId: 'c', email: 'k@example.com', address: '::1' });
    await addBook(database.db, { title: 'Romola', author: 'George Eliot', image: 'i', priceCents: 1 }, null);

    expect(await titlesOf('eliot')).toEqual(['Romola', silas, 'Adam Bede', middlemarch]);
  });
});

/**
 * @returns the SHA-256 of the statements that a migration executes, without their blanks and the quotes of names. They are only compiled: a
 * query of the migration finds no rows.
 */
async function fingerprintOf(db: Db, migration: Migration): Promise<string> {
  const statements: string[] = [];
  const dryRun = new Kysely({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => db.getExecutor().adapter,
      createQueryCompiler: () => db.getExecutor(),
      createIntrospector: () => db.introspection,
    },
    log({ query: { sql, parameters } }) {
      statements.push([sql, ...parameters].join().replace(/[\s"]/g, ''));
    },
  });
  await migration.up(dryRun);
  return hash('sha256', JSON.stringify(statements));
}

/** The beginning of each migration's fingerprint on PostgreSQL, and on SQLite. */
const releasedFingerprints = `
0001-books-customers-orders-images d8f08b0d1f322821 4bc436c7007283ad
0002-activity-attempt-keys-retries 51af6f798f141ee6 1ab177a570e76570
0003-catalogue-changes-order-indexes 4f53cda18c2baa0c 693e20d6b8a2dc16
0004-search-keys-words fa42989347666d83 4edf2e3c8790c194
0005-desk a73393be993c5d06 1eb4df0f3ac3a514
0006-sales 02c070c02f7df14a a1f588ea1ed5d319
0007-mail 1d47cac5e67d0ad9 d0f20db1d5905e6a
0008-deleted-titles 3df6219602f3b7f9 3df6219602f3b7f9
0009-customer-names d6b9cdd17d90dde9 d6b9cdd17d90dde9
0010-last-backup 880c8d3098955592 880c8d3098955592
0011-admin-claim fbf1080a5b00e764 c0f152975a9393fe
0012-receipt-slots 3f6157eb1cc2fd35 55749b7b3dc22c28
0013-delivery-address 1c3999c6647245c2 f0c5ff3cb5746bc3
0014-copies eac974d4f9d7b4db 5c345faa8e204b79
0015-withdrawal 1eea65dda18fe5b0 d9d5897a6ffb89fd
0016-isbn-description 028dbe7324447605 6e442dbd1a99e24d
0017-changed-books a307e3da38be8754 a307e3da38be8754
0018-webhooks 2c85bc88073d9a1a 9cdad4f4e3b1e8e3
0019-taken-copies 4f53cda18c2baa0c a9ece4be7a32c3e8
0020-sums-notes 7083f59798b23cc0 8ebbef340c407933
0021-front-table dcf1038c31179f68 047708f018102fd3
0022-find 68035262ad2256e1 38f110d101f683ce
0023-colours-orders-of-books c8449f0d5dd96a04 09e1e265f1c0b5e4
0024-session-changes 4f53cda18c2baa0c 03224a7e5c1c3c56
0025-sort-keys 4ba8de11c4c9ca31 83046de8201d7a68
0026-sign-in-attempts 181666456ed59c19 d5db4c765b3f7128
0027-outbox 8f2b78301d434a80 ffeccc390979d1c3
0028-stock b184bd8bfe00f976 3e4118e4e54c0849
0029-delivery-payments-pages f1685a5453ddfd47 fb33fa6f741ae755
0030-book-facts-tracking 4440afbcd574db95 bf33369a99b1b1f2
`;

test('each migration executes the statements with which it was released', async () => {
  const { db } = await open();

  const lines = releasedFingerprints.trim().split('\n');
  const released = lines
    .map((line) => line.split(' '))
    .map(([name, onPostgres, onSqlite]) => [name, isOnPostgres() ? onPostgres : onSqlite]);
  const fingerprints = Object.entries(migrations).map(async ([name, migration]) => [
    name,
    (await fingerprintOf(db, migration)).slice(0, 16),
  ]);

  expect(await Promise.all(fingerprints)).toEqual(released);
});

describe('a database that other migrations made is rejected, and stays as it was', () => {
  const remedy = 'or use another database.';
  const insert = (name: string) => `insert into kysely_migration (name, timestamp) values ('${name}', '')`;
  test.each([
    [
      'when a newer version of the store has added a migration',
      insert('9999-newer'),
      `was made by another version of the store, which has the migration 9999-newer: start that version, ${remedy}`,
    ],
    [
      'when this version lacks a migration between others',
      insert('0000-lost'),
      `was made by another version of the store, which has the migration 0000-lost: start that version, ${remedy}`,
    ],
    [
      'when the database lacks a migration between others',
      `delete from kysely_migration where name = '0002-activity-attempt-keys-retries'`,
      `was made by another version of the store, which lacks the migration 0002-activity-attempt-keys-retries: start that version, ${remedy}`,
    ],
  ])('%s', async (_, change, fault) => {
    const { settings, url } = await createStoreDatabase();
    await run({ url }, change);
    const subject =
      settings.engine === 'sqlite' ? settings.file : `the database of PostgreSQL at ${new URL(url).host}`;

    for (const isReadAsItIs of [false, true]) {
      const opening = openDatabase(settings, { isReadAsItIs });
      const error = await opening.catch((error: unknown) => openErrorMessage(error, settings));
      expect(error).toBe(`DATABASE_URL: ${subject} ${fault}`);
    }
  });
});
