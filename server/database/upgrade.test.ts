/**
 * Databases that other versions of the store made. The fixtures hold a small shop that the first release (commit
 * 33925e1) made on SQLite, and the same rows on PostgreSQL.
 */

import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ListOrder, listBooks } from '../catalogue/book-list.ts';
import { addBook, findBook } from '../catalogue/books.ts';
import { restoreBook } from '../catalogue/delete-book.ts';
import { findRendition } from '../images/images.ts';
import { listOrders } from '../orders/orders.ts';
import { placeOrder } from '../orders/place-order.ts';
import { indexBooks } from '../search/indexing.ts';
import { searchPatterns } from '../search/search-text.ts';
import { findCustomer } from '../sign-in/sessions.ts';
import { runStatements } from '../testing/postgres-server.ts';
import { createTestDatabase, fileOf, isOnPostgres, setUpTestDatabase } from '../testing/test-database.ts';
import { compareSchemas, describeMigrated } from './check-schema.ts';
import { describeSchema } from './engine.ts';
import { fingerprintOf, migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { type Database, openDatabase } from './open.ts';
import { openErrorMessage } from './open-error.ts';

const firstMigration = '0001-books-customers-orders-images';
const fixtures = join(import.meta.dirname, 'fixtures');

const testDatabase = setUpTestDatabase(createTestDatabase);
const open = () => testDatabase.open();

async function restoreFixture({ url }: { url: string } = testDatabase): Promise<void> {
  if (isOnPostgres()) await runStatements(url, await readFile(join(fixtures, '0001.postgres.sql'), 'utf8'));
  else await writeFile(fileOf(url), gunzipSync(await readFile(join(fixtures, '0001.sqlite.gz'))));
}

/** Runs statements without the store. @returns the rows of the last one. */
async function run(...statements: readonly string[]): Promise<unknown[]> {
  const { settings } = testDatabase;
  if (settings.engine === 'sqlite') {
    const sqlite = new DatabaseSync(settings.file);
    const rows = statements.map((statement) => sqlite.prepare(statement).all());
    sqlite.close();
    return (rows.at(-1) ?? []).map((row) => ({ ...row }));
  }
  return await runStatements(settings.url, ...statements);
}

describe('a database that the first release made', () => {
  beforeEach(() => restoreFixture());

  test('is brought up to date by a start, which reports it once, and by nothing else', async () => {
    const applied: (readonly string[])[] = [];
    const onMigrated = (names: readonly string[]) => applied.push(names);

    await expect(openDatabase(testDatabase.settings, { isReadAsItIs: true })).rejects.toThrow(
      'is not of this version of the store',
    );
    expect(await run('select name from kysely_migration')).toEqual([{ name: firstMigration }]);
    for (let start = 0; start < 2; start += 1) {
      const { close } = await openDatabase(testDatabase.settings, { onMigrated });
      await close();
    }

    expect(applied).toEqual([Object.keys(migrations).slice(1)]);
    expect(await run('select name, fingerprint from kysely_migration order by name limit 1')).toEqual([
      { name: firstMigration, fingerprint: releasedFingerprints[firstMigration] },
    ]);
    const { db, close } = await openDatabase(testDatabase.settings, { isReadAsItIs: true });
    expect(compareSchemas(await describeMigrated(db), await describeSchema(db))).toEqual([]);
    await close();
  });

  test('stays as it was when the start is killed between two migrations, and the next start begins again', async () => {
    const script = join(import.meta.dirname, '..', 'testing', 'open-and-close.ts');
    const names = Object.keys(migrations).slice(1);
    const announced: string[] = [];

    const killed = fork(script, [JSON.stringify(testDatabase.settings), names.at(-1) ?? '']);
    expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
    const afterKill = await run('select name from kysely_migration');
    const onMigration = (name: string) => announced.push(name);
    const { close } = await openDatabase(testDatabase.settings, { onMigration });
    await close();

    expect(afterKill).toEqual([{ name: firstMigration }]);
    expect(announced).toEqual(names);
  });

  test('is refused with one sentence when something else has made a half of what a migration makes', async () => {
    await run('create table tokens (name text)');

    const error = await open().catch((error: unknown) => openErrorMessage(error, testDatabase.settings));

    expect(error).toMatch(
      /^DATABASE_URL: .* could not be brought up to date by the migration 0005-desk: .*tokens.* already exists\. It is unchanged\.$/,
    );
    expect(await run('select name from kysely_migration')).toEqual([{ name: firstMigration }]);
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
    // Without their articles, and by the surnames of their authors.
    expect(await titlesOf('', 'title')).toEqual([middlemarch, silas, lodz, crime, dream]);
    expect(await titlesOf('', 'author')).toEqual([dream, crime, middlemarch, silas, lodz]);
    const image = 'e46893521d1d6c294b5bcf82a040598f';
    const kept = { title: middlemarch, author: 'George Eliot', image: `/images/${image}.webp` };
    expect(await findBook(database.db, '01a1fea9-612f-771d-b0a0-065720d8ca2a')).toMatchObject({
      ...{ ...kept, priceCents: 1299, copiesLeft: null },
    });
    expect(await findBook(database.db, removedBook)).toBeUndefined();
    const digests = ([240, 480, 960] as const).map(async (width) =>
      hash('sha256', (await findRendition(database.db, image, width)) ?? '').slice(0, 8),
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
    const { orders } = await listOrders(db, reader.id, { limit: 10, cursor: undefined });
    expect(orders.map(({ title }) => title)).toEqual([dream, 'Adam Bede']);
    // They keep no days: their buyers see no button.
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

/** The fingerprint of each migration, by its name, on the engine of this project. */
const releasedFingerprints: Readonly<Record<string, string>> = isOnPostgres()
  ? {
      [firstMigration]: '720db7841ab665cbff56185360c29ca47480bb1481a0e31ace8524b98671932a',
      '0002-activity-attempt-keys-retries':
        '2a9ac6dcad8b36a6c8ef426cc36dd6c5b54204c353d0b020721aac66f830dedb',
      '0003-catalogue-changes-order-indexes':
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '0004-search-keys-words': '8406b9ea09157cfd58de7bd48a634e6856eba85ef273904c0d123b64c7588d0f',
      '0005-desk': '2c6e969a517762f620b379f04f8b0237f73017ea9b4c66b9c24a46b9451d4721',
      '0006-sales': '259557f0f5b1f3374c194a25c35d5da21fa22be22aae1f65cd963aeb146a9178',
      '0007-mail': 'a068c8c97e594b28e7fcd21302ce5aa9f8520f5470309934844188eb325d9666',
      '0008-deleted-titles': '3f0645923b40d6d3e8fa8b991d6d7fc3d5492181372f7c83f8a218405bd8ab80',
      '0009-customer-names': 'f3672f678ddb28a7805c24a6bc53271b4b65b35fa74e894d3cfcf2d5ba0278e3',
      '0010-last-backup': '937eaf1a7c36289b8a33713db72d955f57916914108847e60ce551c7cc152815',
      '0011-admin-claim': 'ca0a3f1309922c17dcdb3621e3762735eeeecc878fc4b86f8262ac53fbabfa41',
      '0012-receipt-slots': 'a5a0101547e5b36a64dacb57431d94267b8961388de3bbc1e9deb130f4cdb91c',
      '0013-delivery-address': '44a8dacc6159da48da27c73011e15c6e19940c0ed5267386d7f43aa4fc80446f',
      '0014-copies': 'b01a0dd2260918e71e732be7ff398772c5ced0a8b9e3242e4bbde858f1b215b8',
      '0015-withdrawal': '1a4ea3c938a82475664e84003d64fa98aa075a7a1641918fc159c399b46b5eb5',
      '0016-isbn-description': 'b721d64431ecc16a1840e98df3713afb7e1fe857ebf42934e19c0fe351ca2dd8',
      '0017-changed-books': '4041a990d30c44cd295e1d7dd4b1cfd568ac3d28b8c98d9b5ba614153de6ffc1',
      '0018-webhooks': '73b2665a2a242ae687b3024bbea4ad8b6dfaabb767286fee0c00fc90a3c94e4d',
      '0019-taken-copies': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '0020-sums-notes': 'f1c6120176c185cf1b80675ae2e138e8e8dad0ca4b18e3986543feb5393f406b',
      '0021-front-table': '80198966bf90f8a4e9b1440d028eb7ef3ac22cec2cc2a28c1bc344f2c7a0dabe',
      '0022-find': '64421a7e59127f6c792370462f727ef850153ad72eee6ff1d3751d78ef540a01',
      '0023-colours-orders-of-books': '1880e621eadbf3ed5d2714215e59d67f7170ead19a66629c92713d491468ac17',
      '0024-session-changes': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '0025-sort-keys': '8c1a900b2f09f8442026690351232933d25bfefa6a56a6202350012668caf268',
    }
  : {
      [firstMigration]: '8bbe7b2877561f2930ff7ebd9095a2ea3826f77bb8b2f255b1c6ddfd99692095',
      '0002-activity-attempt-keys-retries':
        '24973451b81e840ebc3b305bd764d4ce559e7c8e498d58309f2c6b87e38500ad',
      '0003-catalogue-changes-order-indexes':
        '7b90d15c5221db5608d5b258449f748aeb249d4d828ed78a4e56d51979f57da6',
      '0004-search-keys-words': 'd0b645645ac56b28701c89b532ad31e04cee8449a48bbe2f3a28c9ca445e1495',
      '0005-desk': 'c02b5a2e5c27af663a4475e99d5418d1061f163ae24b5a93852f414019bc9163',
      '0006-sales': 'd637fc5681b557d09f7122a354202947354bb9d877bc05841156ee9ce808502c',
      '0007-mail': 'c4af6dcce81399d7701bd49a68d310e58fcddbf947a04745e4e7b385225d567e',
      '0008-deleted-titles': '3f0645923b40d6d3e8fa8b991d6d7fc3d5492181372f7c83f8a218405bd8ab80',
      '0009-customer-names': 'f3672f678ddb28a7805c24a6bc53271b4b65b35fa74e894d3cfcf2d5ba0278e3',
      '0010-last-backup': '937eaf1a7c36289b8a33713db72d955f57916914108847e60ce551c7cc152815',
      '0011-admin-claim': '4e5d17389147e6cf59641c3aec53509cc3fa929b466cb21265d82a9c4505f081',
      '0012-receipt-slots': '5d2d19a20ebcf8a27813d3c3e87affa21fcab59b9cd1edb56ffa012dbb32df4b',
      '0013-delivery-address': '1dcd03671b7330927dfe979b444e4882d2acd4462a8038da1a9cea110db0ac47',
      '0014-copies': 'ed410b846abb77b20dd578c19fbabccb8a6b5c445ca3eb4094feea9a7313b183',
      '0015-withdrawal': '139359d9c1c47bb3ee2a91bc498752c943148b5f609da6365fb2b1fb63eb56f9',
      '0016-isbn-description': 'becb9eb83d8a90ae30c81ce186d1d461c3af9af2646d7d38db0c679d1bdd824d',
      '0017-changed-books': '4041a990d30c44cd295e1d7dd4b1cfd568ac3d28b8c98d9b5ba614153de6ffc1',
      '0018-webhooks': '5194fe6379ac14b3276a866bcd92727f88ca0c5e2cc9ed196e71c4ef973c1674',
      '0019-taken-copies': 'a295ba99ac4610bc477366db215457c5311c578664eeb544218f0d0813a3483c',
      '0020-sums-notes': '723853b1716741f4ccabdd3d7cff5c0e1e3e4d4a678f3ee29a42ec0067e411d4',
      '0021-front-table': '8fcddc37cffc81336104dcf6c2deb8475ea1044a8a1f22a1768688cee31eb985',
      '0022-find': 'e212e9eca41d9058358a3ab059c006ad020b14f98415bb89d0faf838639ca27c',
      '0023-colours-orders-of-books': '3384d2bb8f46592496eeb64d11e4540be435722e6bea3c9a78d3ff7bb8286960',
      '0024-session-changes': '0d6af4e38322b3401fc422eacc599adb407ef471a88eb8abac10e4c6d5178a02',
      '0025-sort-keys': 'c84c7f8ef4b05a5d6ce64448c5f217d0dd63a4ff9ecc64dec9f7826035703f90',
    };

test('each migration executes the statements with which it was released', async () => {
  const { db } = await open();

  const fingerprints = Object.entries(migrations).map(async ([name, migration]) => [
    name,
    await fingerprintOf(db, migration),
  ]);

  expect(Object.fromEntries(await Promise.all(fingerprints))).toEqual(releasedFingerprints);
});

describe('a database that other migrations made is rejected, and stays as it was', () => {
  const subject = () =>
    testDatabase.settings.engine === 'sqlite'
      ? `DATABASE_URL: ${testDatabase.settings.file}`
      : `DATABASE_URL: the database of PostgreSQL at ${new URL(testDatabase.settings.url).host}`;
  const openError = () =>
    open().then(
      () => undefined,
      (error: unknown) => openErrorMessage(error, testDatabase.settings),
    );
  const remedy = 'start that version, or use another database.';

  test('when a migration has another fingerprint, also by a command beside the store', async () => {
    const { db } = await open();
    await db.updateTable('kysely_migration').set({ fingerprint: 'of an edited migration' }).execute();
    const fault = `was made by another version of the store, whose migration ${firstMigration} differs: ${remedy}`;

    expect(await openError()).toBe(`${subject()} ${fault}`);
    await expect(openDatabase(testDatabase.settings, { isReadAsItIs: true })).rejects.toThrow(fault);
  });

  test.each([
    ['a newer version of the store has added a migration', '9999-newer', 'a newer'],
    ['this version lacks a migration between others', '0000-lost', 'another'],
  ])('when %s', async (_, name, which) => {
    const { db } = await open();
    const row = { name, timestamp: new Date().toISOString(), fingerprint: 'x' };
    await db.insertInto('kysely_migration').values(row).execute();

    expect(await openError()).toBe(
      `${subject()} was changed by ${which} version of the store: start one that has the migration ${name}, or use another database.`,
    );
  });

  test('when the database lacks a migration between others', async () => {
    const { db } = await open();
    const up: Migration['up'] = (db) => sql`create table notes (id integer)`.execute(db).then();
    const late = { up };
    await migrate(db, { ...migrations, '9999-late': late });

    await expect(migrate(db, { ...migrations, '9998-early': late, '9999-late': late })).rejects.toThrow(
      `was made by another version of the store, which lacks the migration 9998-early: ${remedy}`,
    );
  });
});
