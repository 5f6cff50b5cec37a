import { execFile } from 'node:child_process';
import { chmod, copyFile, link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createToken, findToken, revokeToken } from '../server/access/tokens.ts';
import { commandActor, listActivity } from '../server/activity/activity.ts';
import { listBooks } from '../server/catalogue/book-list.ts';
import { blockCustomer } from '../server/customers/customers.ts';
import { eraseCustomer, sweepErasures } from '../server/customers/erase-customer.ts';
import { migrate } from '../server/database/migrate.ts';
import { migrations } from '../server/database/migrations/index.ts';
import { openUnlimited } from '../server/database/open-unlimited.ts';
import type { Db } from '../server/database/tables.ts';
import { placeOrder } from '../server/orders/place-order.ts';
import { indexBooks } from '../server/search/indexing.ts';
import { searchPatterns } from '../server/search/search-text.ts';
import { startSession } from '../server/sign-in/sessions.ts';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { runStatements } from '../server/testing/postgres-server.ts';
import {
  asSuperuser,
  copyDatabase,
  createStoreDatabase,
  createTestDatabase,
  fileOf,
  isOnPostgres,
  type TestDatabase,
} from '../server/testing/test-database.ts';
import { reader } from '../server/testing/test-store.ts';
import { addEmma, addLargeImages, canBackUp, emma, killWhen, missingPrograms } from './testing/database.ts';
import { outcomeOf, runShop, startShop } from './testing/shop.ts';

/** A store, and a backup of an earlier time of it. */
type Shop = { store: TestDatabase; backup: string };

/** A shop with one order, and another one with the book Romola alone. Each test has copies of them. */
let shops: { original: Shop; other: TestDatabase };
let folder: string;
let original: TestDatabase;
let backup: string;
let other: TestDatabase;
beforeAll(async () => {
  // A database that is made anew is another store; a copy would be the same store.
  const [store, other] = [await createStoreDatabase(), await createTestDatabase()];
  const folder = await makeFolder();
  await store.use(async ({ db }) => {
    await addEmma(db);
    const session = await startSession(db, reader, { providerIssuer: reader.issuer });
    const customer = { ...reader, id: session.customerId };
    await placeOrder(db, customer, { ...emma, time: new Date().toDateString() }, { idempotencyKey: 'k' });
  });
  await other.use(async ({ db }) => {
    await addEmma(db);
    await db.updateTable('books').set({ title: 'Romola' }).execute();
  });
  shops = { original: { store, backup: join(folder, 'backup') }, other };
  if (canBackUp()) await backUp(store, shops.original.backup);
  return () => Promise.all([store.remove(), other.remove(), rm(folder, { recursive: true })]);
});
beforeEach(async ({ skip }) => {
  skip(!canBackUp(), missingPrograms);
  folder = await makeFolder();
  backup = join(folder, 'backup');
  other = await copyDatabase(shops.other.url);
  await enter(shops.original);
});

/** Sets `original` and `backup` to copies of this shop. */
async function enter(shop: Shop): Promise<void> {
  original = await copyDatabase(shop.store.url);
  for (const suffix of ['', '.sha256']) await copyFile(shop.backup + suffix, backup + suffix);
}

/** Makes other bytes the backup, without a sum. */
async function replaceBackup(bytes: Uint8Array): Promise<void> {
  await writeFile(backup, bytes);
  await rm(`${backup}.sha256`, { force: true });
}

const shop = (database: TestDatabase, ...args: readonly string[]) =>
  runShop(['database', ...args], { DATABASE_URL: database.url });
const startRestore = (database: TestDatabase) =>
  startShop(['database', 'restore', backup, '--force'], { DATABASE_URL: database.url });
async function backUp(database = original, file = backup): Promise<void> {
  expect(await shop(database, 'backup', file, '--force')).toMatchObject({ stderr: '', exitCode: 0 });
}
const titlesIn = (database: TestDatabase, query = '') =>
  database.use(async ({ db }) => {
    const list = { sort: 'newest', limit: 10, patterns: searchPatterns(query), after: undefined } as const;
    return (await listBooks(db, list)).books.map(({ title }) => title);
  });

test('an empty database becomes the one that was backed up, without its sessions', async () => {
  const empty = await createTestDatabase();
  // The table of another program.
  if (isOnPostgres()) await runStatements(empty.url, 'create table notes as select 1 as id');

  const { stdout, stderr, exitCode } = await shop(empty, 'restore', backup, '--json');

  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(JSON.parse(stdout)).toEqual({
    ...{ books: 1, customers: 1, orders: 1, replaced: null },
    again: { revoked: [], erased: [], blocked: [], unblocked: [] },
    notes: [expect.stringMatching(/^Revoke tokens, .* since the backup: there was no store to replace/)],
  });
  const rowsIn = (database: TestDatabase) =>
    database.use(async ({ db }) => ({
      books: await db.selectFrom('books').selectAll().execute(),
      customers: await db.selectFrom('customers').selectAll().execute(),
      orders: await db.selectFrom('orders').selectAll().execute(),
      words: await db.selectFrom('words').selectAll().orderBy('word').execute(),
    }));
  expect(await rowsIn(empty)).toEqual(await rowsIn(original));
  await empty.use(async ({ db }) => {
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    await addEmma(db);
    const books = await db.selectFrom('books').select('seq').orderBy('seq').execute();
    expect(books.map(({ seq }) => Number(seq))).toEqual([1, 2]);
  });
  expect(await titlesIn(empty, 'austen')).toEqual(['Emma', 'Emma']);
  if (isOnPostgres()) expect(await runStatements(empty.url, 'select * from notes')).toEqual([{ id: 1 }]);
});

test('a store is only replaced with --force, and is kept', async () => {
  const refused = await shop(other, 'restore', backup);
  expect(refused).toMatchObject({ stdout: '', exitCode: 1 });
  expect(refused.stderr).toMatch(/^\S.* has a (database|store) already; --force replaces it, and keeps/);
  expect(await titlesIn(other)).toEqual(['Romola']);
  const done = JSON.parse((await shop(other, 'restore', backup, '--force', '--json')).stdout);

  expect(await titlesIn(other)).toEqual(['Emma']);
  expect(done.notes).toEqual([expect.stringMatching(/the replaced database is another store/)]);
  expect(await titlesReplaced(done.replaced)).toEqual([{ title: 'Romola' }]);
  // A database that was kept aside is in no backup, and does not prevent the next restore.
  await shop(other, 'backup', backup, '--force');
  expect(await shop(other, 'restore', backup, '--force')).toMatchObject({ stderr: '', exitCode: 0 });
});

async function titlesReplaced(replaced: string): Promise<unknown[]> {
  if (isOnPostgres()) {
    return await other.use(async ({ db }) => {
      const { rows } = await sql`select title from ${sql.table(`${replaced}.books`)}`.execute(db);
      return rows;
    });
  }
  const sqlite = new DatabaseSync(replaced, { readOnly: true });
  const rows = sqlite.prepare('select title from books').all();
  sqlite.close();
  return rows.map((row) => ({ ...row }));
}

describe('what was ended since the backup', { timeout: 60_000 }, () => {
  let leaked: string;
  let ids: { erased: string; blocked: string; unblocked: string; later: string };
  const signIn = async (db: Db, sub: string) =>
    (await startSession(db, { ...reader, sub }, { providerIssuer: reader.issuer })).customerId;
  let ended: Shop;
  beforeAll(async () => {
    const store = await copyDatabase(shops.original.store.url);
    ended = { store, backup: `${shops.original.backup}-2` };
    await store.use(async ({ db }) => {
      leaked = await createToken(db, { name: 'leaked', may: 'orders' }, commandActor);
      await createToken(db, { name: 'fine', may: 'orders' }, commandActor);
      ids = {
        erased: await signIn(db, reader.sub),
        blocked: await signIn(db, 'blocked'),
        unblocked: await signIn(db, 'unblocked'),
        later: '',
      };
      await blockCustomer(db, ids.unblocked, { isBlocked: true }, commandActor);
    });
    if (canBackUp()) await backUp(store, ended.backup);
    await store.use(async ({ db }) => {
      await revokeToken(db, 'leaked', commandActor);
      await eraseCustomer(db, ids.erased, commandActor);
      await blockCustomer(db, ids.blocked, { isBlocked: true }, commandActor);
      await blockCustomer(db, ids.unblocked, { isBlocked: false }, commandActor);
      // The erased person signs in again, as a new customer.
      ids.later = await signIn(db, reader.sub);
      await blockCustomer(db, ids.later, { isBlocked: true }, commandActor);
    });
    return store.remove;
  });
  beforeEach(() => enter(ended));

  const stateOf = (database: TestDatabase) =>
    database.use(async ({ db }) => {
      const customers = db.selectFrom('customers').select(['id', 'sub', 'email', 'blocked_at', 'erased_at']);
      const rows = (await customers.execute()).map(
        ({ id, sub, email, blocked_at: blocked, erased_at: erased }) => [
          id,
          { sub, email, isBlocked: blocked !== null, isErased: erased !== null },
        ],
      );
      return {
        customers: Object.fromEntries(rows),
        orders: await db.selectFrom('orders').select(['buyer_email', 'buyer_name', 'mail_due_at']).execute(),
        usable: (await findToken(db, leaked))?.name,
      };
    });

  test('stays ended: tokens, and customers who were erased or blocked; and who was unblocked may sign in', async () => {
    const before = await stateOf(original);

    const { stdout, stderr } = await shop(original, 'restore', backup, '--force', '--json');

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      again: {
        revoked: ['leaked'],
        erased: [ids.erased],
        blocked: [ids.blocked, ids.later],
        unblocked: [ids.unblocked],
      },
      notes: [],
    });
    const { email } = reader;
    expect(await stateOf(original)).toEqual(before);
    expect(before).toEqual({
      customers: {
        [ids.erased]: { sub: ids.erased, email: '', isBlocked: false, isErased: true },
        [ids.blocked]: { sub: 'blocked', email, isBlocked: true, isErased: false },
        [ids.unblocked]: { sub: 'unblocked', email, isBlocked: false, isErased: false },
        [ids.later]: { sub: reader.sub, email, isBlocked: true, isErased: false },
      },
      orders: [{ buyer_email: '', buyer_name: '', mail_due_at: null }],
      usable: undefined,
    });
    const { entries } = await original.use(({ db }) => listActivity(db, { limit: 5 }));
    expect(entries.map(({ action, subject }) => [action, subject]).reverse()).toEqual([
      ['token-revoked', 'leaked'],
      ['customer-erased', ids.erased],
      ['customer-blocked', ids.blocked],
      ['customer-blocked', ids.later],
      ['customer-unblocked', ids.unblocked],
    ]);
    // The replaced database knows all of it too.
    expect((await shop(original, 'restore', backup, '--force')).stdout).toMatch(
      /\ndone again, as it was done after the backup: revoked leaked; customers: 1 erased, 2 blocked, 1 unblocked\n$/,
    );
  });

  test('is ended at the moment when the restored database can be opened', async () => {
    const { ino } = isOnPostgres() ? { ino: 0 } : await stat(fileOf(original.url));
    const isInPlace = async () =>
      isOnPostgres()
        ? await finds(original, "select from pg_namespace where nspname like 'colophon\\_replaced\\_%'")
        : (await stat(fileOf(original.url))).ino !== ino;

    await killWhen(startRestore(original), isInPlace);

    const { usable, customers } = await stateOf(original);
    expect({ usable, isErased: customers[ids.erased]?.isErased }).toEqual({
      usable: undefined,
      isErased: true,
    });
  });

  test('stays ended in a backup of an older version, whose erasures the next start finishes', async () => {
    const old = await createTestDatabase();
    const { db, close } = openUnlimited(old.settings);
    const [newest = ''] = Object.keys(migrations).sort().reverse();
    const { [newest]: _, ...older } = migrations;
    await migrate(db, older);
    const id = 'c1';
    const person = { issuer: 'i', sub: 's', email: 'ben@x.example', name: 'Ben', photo: '' };
    await db
      .insertInto('customers')
      .values({ id, ...person, is_email_verified: 1, created_at: 1 })
      .execute();
    await close();
    await shop(old, 'backup', backup, '--force');
    await old.use(({ db }) => eraseCustomer(db, id, commandActor));

    const { stdout } = await shop(old, 'restore', backup, '--force', '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      again: { erased: [id] },
      notes: [expect.stringMatching(/^The backup is of an older version: the next start/)],
    });
    await old.use(async ({ db }) => {
      await sweepErasures(db);
      expect(await db.selectFrom('customers').select('email').execute()).toEqual([{ email: '' }]);
    });
  });

  test('stays ended when an older backup was restored between, which lacks the rows', async () => {
    const store = await createStoreDatabase();
    const [older, newer] = [join(folder, 'older'), join(folder, 'newer')];
    await shop(store, 'backup', older);
    const { eve, secret } = await store.use(async ({ db }) => ({
      eve: await signIn(db, 'eve'),
      secret: await createToken(db, { name: 'late', may: 'orders' }, commandActor),
    }));
    await shop(store, 'backup', newer);
    await store.use(async ({ db }) => {
      await revokeToken(db, 'late', commandActor);
      await eraseCustomer(db, eve, commandActor);
    });

    for (const file of [older, newer]) {
      const { stdout } = await shop(store, 'restore', file, '--force', '--json');
      expect(JSON.parse(stdout)).toMatchObject({ again: { revoked: ['late'], erased: [eve] }, notes: [] });
    }

    expect((await stateOf(store)).customers[eve]).toMatchObject({ sub: eve, email: '', isErased: true });
    expect(await store.use(({ db }) => findToken(db, secret))).toBeUndefined();
  });
});

/** @returns true if a query of PostgreSQL finds a row. */
const finds = async ({ url }: TestDatabase, query: string) => (await runStatements(url, query)).length > 0;

test('while a store runs nothing is replaced', async () => {
  const { stdout, stderr, exitCode } = await other.use(() => outcomeOf(startRestore(other)));

  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(
    / is in use(: stop all nodes of the store| by another process: stop the store) first/,
  );
  expect(await titlesIn(other)).toEqual(['Romola']);
});

test('kill -9 in the middle leaves the old store whole, and the next restore is done', {
  timeout: 120_000,
}, async () => {
  await original.use(({ db }) => addLargeImages(db, isOnPostgres() ? 10 : 60));
  await backUp();
  const isRestoring = async () => {
    if (isOnPostgres()) {
      return await finds(
        other,
        "select from pg_stat_activity where datname = current_database() and query ilike 'copy%'",
      );
    }
    const target = fileOf(other.url);
    const names = await readdir(join(target, '..'));
    return names.some((name) => name.endsWith('.part'));
  };

  expect(await killWhen(startRestore(other), isRestoring)).toBe(true);

  expect(await titlesIn(other)).toEqual(['Romola']);
  // PostgreSQL may need a moment to notice that the killed restore is gone.
  await expect
    .poll(() => shop(other, 'restore', backup, '--force'), { timeout: 60_000 })
    .toMatchObject({ exitCode: 0 });
  expect(await titlesIn(other)).toEqual(['Emma']);
});

test('a backup without a sum is restored, which is said; its name may be another one than in its sum', async () => {
  await copyFile(backup, `${backup}-2`);
  const without = await shop(other, 'restore', `${backup}-2`, '--force', '--json');
  await copyFile(`${backup}.sha256`, `${backup}-2.sha256`);
  const renamed = await shop(other, 'restore', `${backup}-2`, '--force', '--json');

  expect(JSON.parse(without.stdout).notes).toContainEqual(
    expect.stringMatching(/backup-2 has no backup-2\.sha256 beside it, as backups of older versions: /),
  );
  expect(JSON.parse(renamed.stdout).notes).toEqual([]);
});

describe('one sentence, and the database stays as it is, for', { timeout: 120_000 }, () => {
  test('a backup of which a bit was flipped, whose sum is of another file, and for what is no backup', async () => {
    const bytes = await readFile(backup);
    const place = Math.floor(bytes.length / 2);
    const sum = await readFile(`${backup}.sha256`, 'utf8');
    const isDamaged = /backup is damaged, or another file than the one that \S+backup\.sha256 was made of\.$/;

    await writeFile(backup, bytes.with(place, (bytes[place] ?? 0) ^ 1));
    await expectRefused(backup, isDamaged);
    await writeFile(backup, bytes);
    for (const other of [sum.replace(/^./, (sign) => (sign === 'a' ? 'b' : 'a')), '', 'x']) {
      await writeFile(`${backup}.sha256`, other);
      await expectRefused(backup, isDamaged);
    }
    const file = join(folder, 'file');
    await expectRefused(file, /file cannot be read \(ENOENT\)\.$/);
    await writeFile(file, 'title,author\n');
    await expectRefused(file, / is no backup of a store\.$/);
    await writeFile(file, isOnPostgres() ? 'SQLite format 3\0' : 'PGDMP');
    await expectRefused(file, / is a backup of \w+, and DATABASE_URL names \w+\.$/);
    if (isOnPostgres()) return;
    await rm(`${backup}.sha256`);
    // Without the log it is not whole.
    await writeFile(`${backup}-wal`, 'log');
    await expectRefused(backup, /backup is no backup: it has a log beside it, backup-wal\.$/);
  });

  test('a backup whose end is missing', async () => {
    await original.use(({ db }) => addLargeImages(db, 1));
    await backUp();
    const bytes = await readFile(backup);
    await replaceBackup(bytes.subarray(0, bytes.length / 2));

    await expectRefused(backup, isOnPostgres() ? /^pg_restore failed \(.*\)\.$/ : / is damaged/);
  });

  const isNotTheStores = (fault: string) =>
    new RegExp(`^\\S+backup has code that is not the store’s: ${fault}\\.$`);
  type Mistake = [sentence: RegExp, ...statements: string[]];
  const mistakes: Mistake[] = [
    [
      / was changed by a newer version of the store: start one that has/,
      "insert into kysely_migration (name, timestamp, fingerprint) values ('9999-newer', '', 'x')",
    ],
    [/ lacks the table sessions\. ?/, 'drop table sessions'],
  ];
  const onPostgres: Mistake[] = [
    [/ has rows of public\.notes that are not the store’s\.$/, 'create table notes as select 1 as id'],
  ];
  // On PostgreSQL nothing but rows is restored.
  const onSqlite: Mistake[] = [
    [/ is damaged: it lacks the trigger count_sessions_delete\. /, 'drop trigger count_sessions_delete'],
    [
      isNotTheStores('evil was not made by the store'),
      'create trigger evil after insert on sessions begin delete from tokens; end',
    ],
    [
      isNotTheStores('receipt_slots is not as the migrations make it'),
      'drop table receipt_slots',
      "create view receipt_slots as select '' as address_hash, 1 as slot, 1 as free_at",
    ],
  ];
  test('a backup that lacks a trigger or a table, has another one, or is of a newer version', async () => {
    for (const [sentence, ...statements] of [...mistakes, ...(isOnPostgres() ? onPostgres : onSqlite)]) {
      original = await copyDatabase(shops.original.store.url);
      await original.use(async ({ db }) => {
        for (const statement of statements) await sql.raw(statement).execute(db);
      });
      if (isOnPostgres()) await dumpWithoutStore();
      else await replaceBackup(await readFile(fileOf(original.url)));

      await expectRefused(backup, sentence);
    }
  });
});

async function expectRefused(file: string, sentence: RegExp): Promise<void> {
  const { stdout, stderr, exitCode } = await shop(other, 'restore', file, '--force');

  expect({ stdout, exitCode }, String(sentence)).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr.trimEnd()).toMatch(sentence);
  expect(stderr.trimEnd()).not.toContain('\n');
  expect(await titlesIn(other), String(sentence)).toEqual(['Romola']);
}

/** The command refuses to back up a store of another version. */
async function dumpWithoutStore(...options: string[]): Promise<void> {
  await promisify(execFile)('pg_dump', ['--format=custom', ...options, `--file=${backup}`, original.url]);
  await rm(`${backup}.sha256`, { force: true });
}

test('a database that cannot be read is replaced, and kept', async () => {
  if (isOnPostgres()) await other.use(({ db }) => sql`drop table kysely_migration`.execute(db));
  else await writeFile(fileOf(other.url), 'x'.repeat(8192));

  expect((await shop(other, 'restore', backup)).stderr).toMatch(/ has a (database|store) already; --force/);
  const { stdout } = await shop(other, 'restore', backup, '--force', '--json');

  const { replaced, notes } = JSON.parse(stdout);
  expect(notes).toEqual([expect.stringMatching(/: the replaced database cannot be read\.$/)]);
  if (isOnPostgres()) expect(await titlesReplaced(replaced)).toEqual([{ title: 'Romola' }]);
  else expect(await readFile(replaced, 'utf8')).toMatch(/^x+$/);
  expect(await titlesIn(other)).toEqual(['Emma']);
});

const onPostgres = () => {
  /** The uncompressed dump of the original, in which this text is another one, as long as it by blanks. */
  async function forge(text: string | RegExp, other: string): Promise<void> {
    await dumpWithoutStore('--compress=0');
    const bytes = await readFile(backup, 'latin1');
    const found = (typeof text === 'string' ? text : bytes.match(text)?.[0]) ?? '';
    expect(found.length, String(text)).toBeGreaterThanOrEqual(other.length);
    await replaceBackup(
      Buffer.from(
        bytes.replace(found, () => other.padEnd(found.length)),
        'latin1',
      ),
    );
  }
  const traces = () =>
    finds(
      other,
      "select from pg_class where relname in ('e', 'r') union all select from pg_rewrite where rulename = 'r'",
    );

  test('no statement of a dump is run: no end of the transaction, no program, no command of psql', async () => {
    for (const statement of [
      'commit;create table e(t text);create rule r as on insert to e do nothing;begin;',
      `copy (select 1) to program 'touch pwned';`,
      '\\! touch pwned\n',
    ]) {
      await forge(/CREATE INDEX books_for_sale_search .*;\n/, statement);

      expect((await shop(other, 'restore', backup, '--force')).exitCode, statement).toBe(0);

      expect(await titlesIn(other, 'austen'), statement).toEqual(['Emma']);
      expect(await traces(), statement).toBe(false);
      expect(await shop(other, 'check'), statement).toMatchObject({ stderr: '', exitCode: 0 });
    }
  });

  const forgeries: [text: string | RegExp, other: string, sentence: RegExp][] = [
    ['COPY public.books (', 'COPY public.bookz (', / has rows of public\.bookz that are not the store’s\.$/],
    ['COPY public.words (', 'COPY publik.words (', / has rows of publik\.words that are not the store’s\.$/],
    [
      'COPY public.words (word,',
      'COPY public.words (werd,',
      / has other columns in the table words than the store, such as werd\.$/,
    ],
    [
      /COPY public\.sessions \([^)]*\) FROM stdin;/,
      'COPY public.copies (id, book_id, order_id) FROM stdin;\n\\.\n--',
      / has rows of public\.copies that are not the store’s\.$/,
    ],
    [
      /COPY public\.books .*\n/,
      'drop table public.books;\n',
      / has more than the rows of a store: drop table/,
    ],
    [/Emma\tJane Austen\thttps.*\n/, '\\N\n\\.\ndrop table books;\n--', /^(?!.*--force)/],
    ['Emma\t', 'Em\0a\t', / cannot be restored \(invalid byte sequence/],
    ['Jane Austen', 'J\\000usten', / cannot be restored \(invalid byte sequence/],
    [
      /[\w-]{36}(?=\thttps:\/\/identity\.example\treader\t)/,
      'x'.repeat(36),
      / cannot be restored \(.* violates foreign key constraint "\w+_customer_id_fkey"\)\.$/,
    ],
    [/1\t[\w-]{36}\tEmma/, 'x\tid\tEmma', / cannot be restored \(invalid input syntax for type bigint/],
  ];
  test('a dump with another table, a statement in the place of its rows or behind them, or a wrong row is refused', {
    timeout: 120_000,
  }, async () => {
    for (const [text, other, sentence] of forgeries) {
      await forge(text, other);

      await expectRefused(backup, sentence);
      expect(await traces(), String(sentence)).toBe(false);
    }
  });

  test('a superuser restores nothing', async () => {
    expect(await shop({ ...other, url: asSuperuser(other.url) }, 'restore', backup, '--force')).toEqual({
      stdout: '',
      stderr:
        'DATABASE_URL names a superuser, and an ordinary role restores backups: docs/database.md says how to make one.\n',
      exitCode: 1,
    });
    expect(await titlesIn(other)).toEqual(['Romola']);
  });

  test.each(['0001.postgres.sql', '0.1.0/postgres.sql'])(
    'a dump of %s is restored, and comes up to date',
    async (file) => {
      const old = await createTestDatabase();
      const fixtures = join(import.meta.dirname, '../server/database/fixtures');
      await runStatements(old.url, await readFile(join(fixtures, file), 'utf8'));
      const titles = async ({ url }: TestDatabase) =>
        await runStatements(url, 'select seq, title, price_cents from public.books order by seq');
      const before = await titles(old);
      await backUp(old);

      expect(await shop(other, 'restore', backup, '--force')).toMatchObject({ stderr: '', exitCode: 0 });

      expect(before.length).toBeGreaterThan(4);
      expect(await titles(other)).toEqual(before);
      await other.use(({ db }) => indexBooks(db));
      expect(await shop(other, 'check')).toMatchObject({ stderr: '', exitCode: 0 });
    },
  );

  test('connections that are all idle are named: a pooler may keep them of a stopped node', async () => {
    const node = new pg.Client({ connectionString: other.url, application_name: 'colophon' });
    await node.connect();
    await node.query('select 1');

    const { stdout, stderr, exitCode } = await shop(other, 'restore', backup, '--force');
    await node.end();

    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(
      /is in use: stop all nodes of the store first\. Its connections \(1, from \S+\) are all idle: if a pooler/,
    );
  });
};
if (isOnPostgres()) describe('on PostgreSQL', onPostgres);

const onSqlite = () => {
  test('the name of a foreign table in a backup reaches no terminal as it is', async () => {
    await original.use(({ db }) => sql.raw('create table "\u001b[2Jevil" (x)').execute(db));
    await replaceBackup(await readFile(fileOf(original.url)));

    const { stdout } = await shop(other, 'restore', backup, '--force');

    expect(stdout).toContain('\n\ufffd[2Jevil was not made by the store.\n');
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

    expect(await titlesIn(other)).toEqual(['Emma']);
  });

  test('the rights of the group stay, and a second name that a killed restore has left is removed', async () => {
    const target = fileOf(other.url);
    await chmod(target, 0o640);
    await link(target, `${target}.replaced-20260101T000000Z`);

    const { replaced } = JSON.parse((await shop(other, 'restore', backup, '--force', '--json')).stdout);

    expect((await stat(target)).mode & 0o777).toBe(0o640);
    const names = await readdir(dirname(target));
    expect(names.filter((name) => name.includes('.replaced-'))).toEqual([basename(replaced)]);
  });
};
if (!isOnPostgres()) describe('on SQLite', onSqlite);
