import { execFile } from 'node:child_process';
import { chmod, copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createToken, revokeToken } from '../server/access/tokens.ts';
import { commandActor, listActivity } from '../server/activity/activity.ts';
import { listBooks } from '../server/catalogue/book-list.ts';
import { addBook } from '../server/catalogue/books.ts';
import { indexBooks } from '../server/catalogue/index-books.ts';
import { block } from '../server/customers/customers.ts';
import { eraseCustomer } from '../server/customers/erase-customer.ts';
import { migrate } from '../server/database/migrate.ts';
import * as migrations from '../server/database/migrations/index.ts';
import { openUnlimited } from '../server/database/open.ts';
import type { Db } from '../server/database/tables.ts';
import { placeOrder } from '../server/orders/place-order.ts';
import { searchPatterns } from '../server/search/search-text.ts';
import { changePage } from '../server/shop-pages/shop-pages.ts';
import { startSession } from '../server/sign-in/sessions.ts';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { runStatements } from '../server/testing/postgres-server.ts';
import { findProgram } from '../server/testing/programs.ts';
import {
  copyDatabase,
  createStoreDatabase,
  createTestDatabase,
  fileOf,
  isOnPostgres,
  run,
  type TestDatabase,
} from '../server/testing/test-database.ts';
import { emma, reader } from '../server/testing/test-store.ts';
import { addEmma, addLargeImages, killWhen } from './testing/database.ts';
import { outcomeOf, runShop, startShop } from './testing/shop.ts';

const shop = ({ url }: TestDatabase, ...args: readonly string[]) =>
  runShop(['database', ...args], { DATABASE_URL: url });
const startRestore = ({ url }: TestDatabase) =>
  startShop(['database', 'restore', backup, '--force'], { DATABASE_URL: url });
const restored = async (database: TestDatabase, file = backup) => {
  const { stdout, stderr } = await shop(database, 'restore', file, '--force', '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};
const signIn = async (db: Db, sub: string) =>
  (await startSession(db, { ...reader, sub }, { providerIssuer: reader.issuer })).customerId;

/** A shop with one order, its backup, and the shop later; and another shop, with only the book Romola. Tests use copies. */
let shops: { original: TestDatabase; later: TestDatabase; other: TestDatabase; backups: string };
let ids: Record<'erased' | 'blocked' | 'again', string>;
beforeAll(async () => {
  // A new database is another store; a copy would be the same store.
  const [original, other] = [await createStoreDatabase(), await createTestDatabase()];
  const backups = await makeFolder();
  await other.use(({ db }) => addBook(db, { ...emma, title: 'Romola' }, null));
  const backUp = (name: string) => shop(original, 'backup', join(backups, name));
  await backUp('older');
  await original.use(async ({ db }) => {
    await addEmma(db);
    await changePage(db, 'imprint', { markdown: '# Imprint' }, commandActor);
    ids = {
      erased: await signIn(db, reader.sub),
      blocked: await signIn(db, 'blocked'),
      again: '',
    };
    const customer = { ...reader, id: ids.erased, name: 'Zoë' };
    const told = { idempotencyKey: 'k', senders: { mail: true, webhooks: true } };
    await placeOrder(db, customer, { ...emma, time: new Date().toDateString() }, told);
    await createToken(db, { name: 'leaked', may: 'orders' }, commandActor);
    await createToken(db, { name: 'fine', may: 'orders' }, commandActor);
  });
  await backUp('backup');
  const later = await copyDatabase(original.url);
  await later.use(async ({ db }) => {
    await revokeToken(db, 'leaked', commandActor);
    await eraseCustomer(db, ids.erased, commandActor);
    await block(db, ids.blocked, { isBlocked: true }, commandActor);
    // The erased person signs in again, as a new customer.
    ids.again = await signIn(db, reader.sub);
    await block(db, ids.again, { isBlocked: true }, commandActor);
  });
  shops = { original, later, other, backups };
  return async () => {
    for (const database of [original, later, other]) await database.remove();
    await rm(backups, { recursive: true });
  };
});

let folder: string;
let backup: string;
let other: TestDatabase;
beforeEach(async () => {
  folder = await makeFolder();
  backup = join(folder, 'backup');
  for (const suffix of ['', '.sha256'])
    await copyFile(join(shops.backups, `backup${suffix}`), backup + suffix);
  other = await copyDatabase(shops.other.url);
});

/** Replaces the content of the backup, and removes its sum. */
async function replaceBackup(bytes: Uint8Array): Promise<void> {
  await writeFile(backup, bytes);
  await rm(`${backup}.sha256`, { force: true });
}
const isUnknown = /^Revoke tokens, .* since the backup: no database of this store was replaced/;
const titlesIn = (database: TestDatabase) => run(database, 'select title from books');
const [emmaAlone, romolaAlone] = [[{ title: 'Emma' }], [{ title: 'Romola' }]];
const searchIn = (database: TestDatabase, query: string) =>
  database.use(async ({ db }) => {
    const list = { sort: 'newest', limit: 10, patterns: searchPatterns(query), after: undefined } as const;
    return (await listBooks(db, list)).books.map(({ title }) => title);
  });

test('an empty database becomes the one that was backed up, without its sessions, and no copy of it is left', async () => {
  const empty = await createTestDatabase();
  // This table belongs to another program.
  if (isOnPostgres()) await run(empty, 'create table notes as select 1 as id');

  expect(await restored(empty)).toEqual({
    ...{ books: 1, customers: 2, orders: 1, replaced: null },
    again: { revoked: [], erased: [], blocked: [] },
    notes: [expect.stringMatching(isUnknown)],
  });
  expect((await readdir(folder)).sort()).toEqual(['backup', 'backup.sha256']);
  const { stdout } = await shop(await createTestDatabase(), 'restore', backup);
  expect(stdout).toMatch(/^restored 1 book, [^\n]+\nRevoke tokens, [^\n]+\n$/);

  const tables = ['books', 'customers', 'orders', 'outbox', 'words', 'pages'] as const;
  const rowsIn = (database: TestDatabase) =>
    database.use(({ db }) =>
      Promise.all(
        tables.map((table) => db.selectFrom(table).selectAll().orderBy(sql`1`).orderBy(sql`2`).execute()),
      ),
    );
  expect(await rowsIn(empty)).toEqual(await rowsIn(shops.original));
  await empty.use(async ({ db }) => {
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    await addEmma(db);
    const books = await db.selectFrom('books').select('seq').orderBy('seq').execute();
    expect(books.map(({ seq }) => Number(seq))).toEqual([1, 2]);
  });
  expect(await searchIn(empty, 'austen')).toEqual(['Emma', 'Emma']);
  if (isOnPostgres()) expect(await run(empty, 'select * from notes')).toEqual([{ id: 1 }]);
});

const titlesReplaced = (replaced: string) =>
  isOnPostgres()
    ? run(other, `select title from ${replaced}.books`)
    : titlesIn({ ...other, url: `sqlite:${replaced}` });

test('a store is only replaced with --force, and is kept, also one that cannot be read', async () => {
  const refused = await shop(other, 'restore', backup);
  expect(refused).toMatchObject({ stdout: '', exitCode: 1 });
  expect(refused.stderr).toMatch(/^\S.* has a (database|store) already; --force replaces it, and keeps/);
  expect(await titlesIn(other)).toEqual(romolaAlone);

  // The file's name may differ from the name in its sum.
  const renamed = `${backup}-2`;
  for (const suffix of ['', '.sha256']) await copyFile(backup + suffix, renamed + suffix);
  const { notes, replaced } = await restored(other, renamed);
  expect(notes).toEqual([expect.stringMatching(isUnknown)]);
  expect(await titlesReplaced(replaced)).toEqual(romolaAlone);
  expect(await titlesIn(other)).toEqual(emmaAlone);

  // A replaced database that was kept is in no backup, and does not prevent the next restore.
  expect(await shop(other, 'backup', backup, '--force')).toMatchObject({ stderr: '', exitCode: 0 });
  await rm(`${backup}.sha256`);
  if (isOnPostgres()) await run(other, 'drop table kysely_migration');
  else await writeFile(fileOf(other.url), 'x'.repeat(8192));
  expect((await shop(other, 'restore', backup)).stderr).toMatch(/ has a (database|store) already; --force/);
  const again = await restored(other);
  expect(again.notes).toEqual([
    expect.stringMatching(isUnknown),
    expect.stringMatching(/backup has no backup\.sha256 beside it: /),
  ]);
  if (isOnPostgres()) expect(await titlesReplaced(again.replaced)).toEqual(emmaAlone);
  else expect(await readFile(again.replaced, 'utf8')).toMatch(/^x+$/);
  expect(await titlesIn(other)).toEqual(emmaAlone);
});

async function stateOf(database: TestDatabase) {
  const rows = await run(database, 'select id, sub, email, blocked_at, erased_at from customers');
  const customers = (rows as Record<string, string | null>[]).map(
    ({ id, sub, email, blocked_at, erased_at }) => [
      id,
      { sub, email, isBlocked: blocked_at !== null, isErased: erased_at !== null },
    ],
  );
  return {
    customers: Object.fromEntries(customers),
    orders: await run(database, 'select buyer_email, buyer_name from orders'),
    messages: await run(database, 'select kind from outbox'),
    usable: await run(database, 'select name from tokens where revoked_at is null'),
  };
}

test('what was ended since the backup stays ended: tokens, and customers who were erased or blocked', async () => {
  const later = await copyDatabase(shops.later.url);
  const before = await stateOf(later);
  const { email } = reader;
  const usable = [{ name: 'fine' }];
  expect(before).toEqual({
    customers: {
      [ids.erased]: { sub: ids.erased, email: '', isBlocked: false, isErased: true },
      [ids.blocked]: { sub: 'blocked', email, isBlocked: true, isErased: false },
      [ids.again]: { sub: reader.sub, email, isBlocked: true, isErased: false },
    },
    orders: [{ buyer_email: '', buyer_name: '' }],
    messages: [],
    usable,
  });

  const revoked = ['leaked'];
  const erased = [ids.erased];
  const again = { revoked, erased, blocked: [ids.blocked, ids.again] };
  expect(await restored(later)).toMatchObject({ again, notes: [] });
  expect(await stateOf(later)).toEqual(before);
  const { entries } = await later.use(({ db }) => listActivity(db, { limit: 4 }));
  expect(entries.map(({ action, subject }) => [action, subject]).reverse()).toEqual([
    ['token-revoked', 'leaked'],
    ['customer-erased', ids.erased],
    ['customer-blocked', ids.blocked],
    ['customer-blocked', ids.again],
  ]);
  // The replaced database still has all of this, even for an older backup, which lacks the rows.
  for (const file of [join(shops.backups, 'older'), backup])
    expect(await restored(later, file)).toMatchObject({ again: { revoked, erased }, notes: [] });
  expect(await stateOf(later)).toMatchObject({ orders: before.orders, usable });
});

test('a backup of an older version comes up to date, without those who were erased since', async () => {
  const old = await createTestDatabase();
  if (!isOnPostgres()) await writeFile(fileOf(old.url), '');
  const db = await openUnlimited(old.settings);
  await migrate(db, Object.fromEntries(Object.entries(migrations).slice(0, -1)));
  const person = { issuer: 'i', sub: 's', email: 'ben@x.example', name: 'Ben', photo: '' };
  const customer = { id: 'c1', ...person, is_email_verified: 1, created_at: 1 };
  await db.insertInto('customers').values(customer).execute();
  await db.destroy();
  await shop(old, 'backup', backup, '--force');
  await old.use(({ db }) => eraseCustomer(db, 'c1', commandActor));

  expect(await restored(old)).toMatchObject({ again: { erased: ['c1'] }, notes: [] });
  expect(await run(old, 'select email from customers')).toEqual([{ email: '' }]);
});

test('while a store runs nothing is replaced', async () => {
  const inUse =
    / is in use(: stop all nodes of the store first, and let a pooler| by another process: stop the store first)/;
  const { stdout, stderr, exitCode } = await other.use(() => outcomeOf(startRestore(other)));
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(inUse);
  if (isOnPostgres()) {
    const node = new pg.Client({ connectionString: other.url, application_name: 'colophon' });
    await node.connect();
    await expectRefused(backup, inUse);
    await node.end();
  }
  expect(await titlesIn(other)).toEqual(romolaAlone);
});

test('kill -9 in the middle leaves the old store whole, and the next restore is done', {
  timeout: 60_000,
}, async () => {
  const large = await copyDatabase(shops.original.url);
  await large.use(({ db }) => addLargeImages(db, isOnPostgres() ? 3 : 12));
  await shop(large, 'backup', backup, '--force');
  const later = await copyDatabase(shops.later.url);
  const before = await stateOf(later);
  const isCopying =
    "select from pg_stat_activity where datname = current_database() and query ilike 'insert%'";
  const isRestoring = async () =>
    isOnPostgres()
      ? (await run(later, isCopying)).length > 0
      : (await readdir(dirname(fileOf(later.url)))).some((name) => name.endsWith('.part'));

  expect(await killWhen(startRestore(later), isRestoring)).toBe(true);

  expect(await stateOf(later)).toEqual(before);
  // PostgreSQL may need a moment to notice that the killed restore is gone.
  const isDone =
    /\ndone again, as it was done after the backup: revoked leaked; customers: 1 erased, 2 blocked\n$/;
  await expect
    .poll(() => shop(later, 'restore', backup, '--force'), { timeout: 30_000 })
    .toMatchObject({ stdout: expect.stringMatching(isDone), exitCode: 0 });
  expect(await stateOf(later)).toEqual(before);
});

async function expectRefused(file: string, sentence: RegExp): Promise<void> {
  const { stdout, stderr, exitCode } = await shop(other, 'restore', file, '--force');

  expect({ stdout, exitCode }, String(sentence)).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr.trimEnd()).toMatch(sentence);
  expect(stderr.trimEnd()).not.toContain('\n');
}

test('a backup of which a bit was flipped, whose sum is of another file, or whose end is missing is refused, and so is a file that is no backup', async () => {
  const bytes = await readFile(backup);
  const place = Math.floor(bytes.length / 2);
  const sum = await readFile(`${backup}.sha256`, 'utf8');
  const isDamaged = /backup is damaged, or another file than the one that \S+backup\.sha256 was made of\.$/;

  await writeFile(backup, bytes.with(place, (bytes[place] ?? 0) ^ 1));
  await expectRefused(backup, isDamaged);
  await writeFile(backup, bytes);
  for (const other of [sum.replace(/^./, (sign) => (sign === 'a' ? 'b' : 'a')), 'x']) {
    await writeFile(`${backup}.sha256`, other);
    await expectRefused(backup, isDamaged);
  }
  const file = join(folder, 'file');
  await expectRefused(file, /file cannot be read \(ENOENT\)\.$/);
  await writeFile(file, 'title,author\n');
  await expectRefused(file, / cannot be used \(file is not a database\)\.$/);
  await writeFile(file, '');
  await expectRefused(file, / has no store in it\.$/);
  await replaceBackup(bytes.subarray(0, place));
  await expectRefused(backup, / cannot be used \(/);
  expect(await titlesIn(other)).toEqual(romolaAlone);
});

/** Changes the backup, and removes its sum. */
async function plant(statements: string): Promise<void> {
  await replaceBackup(await readFile(join(shops.backups, 'backup')));
  const sqlite = new DatabaseSync(backup, { enableForeignKeyConstraints: false });
  sqlite.exec(statements);
  sqlite.close();
}

test('a backup that lacks a table, has a row that leads nowhere, a number that is too large, or is of a newer version is refused', async () => {
  for (const [statements, sentence] of [
    [
      "insert into kysely_migration (name, timestamp) values ('9999-newer', '')",
      / was made by another version of the store, which has the migration /,
    ],
    ['drop table sessions', / lacks the table sessions\.$/],
    [
      'alter table words rename to others; create view words as select * from others',
      / lacks the table words\.$/,
    ],
    [
      'alter table kysely_migration rename to others; create view kysely_migration as select * from others',
      / has no store in it\.$/,
    ],
    ["update orders set customer_id = 'nobody'", /backup is damaged \(foreign_key_check: orders\)\.$/],
    ['update books set price_cents = 9223372036854775807', /backup cannot be restored \(Value is too large/],
  ] as const) {
    await plant(statements);

    await expectRefused(backup, sentence);
  }
  expect(await titlesIn(other)).toEqual(romolaAlone);
});

test('nothing but rows comes from a backup: its triggers and views stay out, and what it lacks is made', async () => {
  await plant(
    `drop index books_image; drop trigger count_book_update; create view spy as select * from customers;
    create trigger evil after delete on sessions begin delete from books where true; end`,
  );

  await restored(other);

  expect(await titlesIn(other)).toEqual(emmaAlone);
  expect(await shop(other, 'check')).toMatchObject({ stderr: '', exitCode: 0 });
});

test.each([
  ['the first release', '0001.sqlite.gz', '0001.postgres.sql'],
  ['0.1.0', '0.1.0/sqlite.gz', '0.1.0/postgres.sql'],
])('a backup of %s is restored, and comes up to date', async (_, onSqlite, onPostgres) => {
  const old = await createTestDatabase();
  const fixture = await readFile(
    join(import.meta.dirname, '../server/database/fixtures', isOnPostgres() ? onPostgres : onSqlite),
  );
  if (isOnPostgres()) await runStatements(old.url, String(fixture));
  else await writeFile(fileOf(old.url), gunzipSync(fixture));
  await shop(old, 'backup', backup, '--force');
  const books = (database: TestDatabase) =>
    run(database, `select seq, title, price_cents from ${isOnPostgres() ? 'public.' : ''}books order by seq`);
  const before = await books(old);

  expect(await shop(other, 'restore', backup, '--force')).toMatchObject({ stderr: '', exitCode: 0 });

  expect(before.length).toBeGreaterThan(4);
  expect(await books(other)).toEqual(before);
  await other.use(({ db }) => indexBooks(db));
  expect(await shop(other, 'check')).toMatchObject({ stderr: '', exitCode: 0 });
});

const testsOnPostgres = () => {
  type Forgery = readonly [text: RegExp, other: string];
  /** Makes the backup an uncompressed dump of the original, in which each forged text is padded with blanks to the old length. */
  async function dump(...forgeries: Forgery[]): Promise<void> {
    const options = ['--format=custom', '--compress=0', `--file=${backup}`, shops.original.url];
    await promisify(execFile)('pg_dump', options);
    let bytes = await readFile(backup, 'latin1');
    for (const [text, other] of forgeries) {
      const found = bytes.match(text)?.[0] ?? '';
      expect(found.length, String(text)).toBeGreaterThanOrEqual(other.length);
      bytes = bytes.replace(found, () => other.padEnd(found.length));
    }
    await replaceBackup(Buffer.from(bytes, 'latin1'));
  }

  test('a dump, as 0.1.0 made backups, is restored; none of its statements is run', async () => {
    await dump(
      [/CREATE INDEX books_for_sale_search .*;\n/, 'commit;create table e(t text);begin;'],
      [/CREATE INDEX books_for_sale_by_title_key .*;\n/, `copy (select 1) to program 'touch pwned';`],
      [/CREATE INDEX customers_erased .*;\n/, '\\! touch pwned\n'],
    );

    await restored(other);

    expect(await searchIn(other, 'austen')).toEqual(['Emma']);
    expect(await run(other, 'select buyer_name as name from orders')).toEqual([{ name: 'Zoë' }]);
    expect(await run(other, "select from pg_class where relname = 'e'")).toEqual([]);
    expect(await shop(other, 'check')).toMatchObject({ stderr: '', exitCode: 0 });
  });

  test('a dump that lacks a table or its end, or has a wrong row, is refused', async () => {
    for (const [forgery, sentence] of [
      [[/COPY public\.books .*\n/, 'drop table public.books;\n'], / lacks the table books\.$/],
      [[/Emma\tJane Austen\thttps.*\n/, '\\N\n\\.\ndrop table books;\n--'], /^(?!.*--force)/],
      [
        [/[\w-]{36}(?=\thttps:\/\/identity\.example\treader\t)/, 'x'.repeat(36)],
        / is damaged \(foreign_key_check: \w+\)\.$/,
      ],
    ] as const) {
      await dump(forgery);
      await expectRefused(backup, sentence);
    }
    await dump();
    await replaceBackup((await readFile(backup)).subarray(0, -5000));
    await expectRefused(backup, /^pg_restore failed \(.*\)\.$/);
    expect(await titlesIn(other)).toEqual(romolaAlone);
  });
};
// `npm run test:full` installs the programs that make dumps.
if (isOnPostgres() && findProgram('pg_dump')) testsOnPostgres();

const testsOnSqlite = () => {
  test('is ended at the moment when the restored database can be opened', async () => {
    const later = await copyDatabase(shops.later.url);
    const inode = async () => (await stat(fileOf(later.url))).ino;
    const before = { ino: await inode(), ...(await stateOf(later)) };

    await killWhen(startRestore(later), async () => (await inode()) !== before.ino);

    const { usable, customers } = await stateOf(later);
    expect({ usable, customers }).toEqual({ usable: before.usable, customers: before.customers });
  });

  test('the log of a database that was removed is not applied to the new one', async () => {
    const target = fileOf(other.url);
    const open = new DatabaseSync(target);
    open.exec("update books set title = 'Middlemarch'");
    const log = await readFile(`${target}-wal`);
    open.close();
    await rm(target);
    await writeFile(`${target}-wal`, log);

    await shop(other, 'restore', backup);

    expect(await titlesIn(other)).toEqual(emmaAlone);
  });

  test('the rights of the group stay', async () => {
    const target = fileOf(other.url);
    await chmod(target, 0o640);

    await restored(other);

    expect((await stat(target)).mode & 0o777).toBe(0o640);
  });
};
if (!isOnPostgres()) testsOnSqlite();
