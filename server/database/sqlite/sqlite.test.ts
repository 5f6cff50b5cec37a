import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { addBook } from '../../catalogue/books.ts';
import { forThisTest, makeFolder } from '../../testing/ends-with-test.ts';
import { fileOf } from '../../testing/test-database.ts';
import { engineOf } from '../engine.ts';
import { type Database, type OpenOptions, openDatabase } from '../open.ts';
import type { Db } from '../tables.ts';
import { isUnavailable } from '../unavailable.ts';
import { openSqliteFile } from './file.ts';
import { openFile, type SqliteSettings } from './open.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder, 'store.db');
});

test('a SQLite file is opened with durable commits, foreign keys and a time to wait for another process', () => {
  const sqlite = openSqliteFile(file);
  const pragma = (name: string) => Object.values(sqlite.prepare(`pragma ${name}`).get() ?? {})[0];

  const pragmas = [
    ...['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'busy_timeout'],
    ...['journal_size_limit', 'wal_autocheckpoint'],
  ];
  // 2 is FULL (SQLite's manual, pragma synchronous).
  expect(pragmas.map(pragma)).toEqual(['wal', 2, 1, 0, 5_000, 67_108_864, 4_000]);
  sqlite.close();
});

test('the log is emptied once nobody reads, and no write waits until then', async () => {
  const settings = { engine: 'sqlite', file, readTimeoutMs: 10_000, statementTimeoutMs: 10_000 } as const;
  const { db } = await forThisTest(openDatabase(settings));
  const insert = (name: string) =>
    db.insertInto('sign_in_attempts').values({ id: name, created_at: 0 }).execute();
  await insert('one');
  const reader = new DatabaseSync(file);
  reader.exec('begin');
  reader.prepare('select count(*) from sign_in_attempts').get();
  await insert('two');

  let isForgotten = false;
  const forgetting = engineOf(db)
    .forgetDeletedText(db)
    .then(() => {
      isForgotten = true;
    });
  const begun = performance.now();
  await insert('three');
  // Half of the time that a statement waits for a lock.
  expect(performance.now() - begun).toBeLessThan(2_500);
  expect(isForgotten).toBe(false);
  reader.close();

  await forgetting;
  expect(statSync(`${file}-wal`).size).toBe(0);
});

test.skipIf(process.platform !== 'linux')(
  'a file that is replaced while it is opened is not used',
  async () => {
    const replaced = openSqliteFile(file);
    // A restore replaces the file in this way.
    replaced.exec('pragma journal_mode = delete; begin exclusive');
    const opening = openDatabase({ engine: 'sqlite', file, readTimeoutMs: 1_000, statementTimeoutMs: 1_000 });
    const isRefused = expect(opening).rejects.toThrow('removed or replaced');
    await expect.poll(() => opensOf(file), { timeout: 5_000 }).toBeGreaterThan(1);
    const other = join(folder, 'other.db');
    openSqliteFile(other).close();
    renameSync(other, file);
    replaced.close();

    await isRefused;
    expect(readdirSync(folder)).toEqual(['store.db']);
  },
);

/** How many descriptors of this process are for the file. */
const opensOf = (path: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)) === path;
    } catch {
      return false;
    }
  }).length;

describe('statements on threads', () => {
  beforeEach(() => copyFile(fileOf(inject('templateUrl')), file));
  const open = (options: Partial<SqliteSettings & OpenOptions> = {}): Promise<Database> => {
    const settings = { engine: 'sqlite', file, readTimeoutMs: 20_000, statementTimeoutMs: 20_000 } as const;
    return forThisTest(openDatabase({ ...settings, ...options }, options));
  };

  const insertImage = (db: Db, id: string) =>
    db.insertInto('images').values({ id, width: 1, height: 1, created_at: 1 }).execute();
  const imageIds = async (db: Db) =>
    (await db.selectFrom('images').select('id').orderBy('id').execute()).map(({ id }) => id);
  const longText = (rows: number) =>
    `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${rows}) select max(n) from c`;
  /** A query that takes a second or more, by the number of its rows. */
  const longRead = (rows = 2_000_000) => sql.raw(longText(rows));

  test('a transaction that reads first waits for the write of another process', async () => {
    const { db } = await open();
    const insert = `require('node:sqlite').DatabaseSync.prototype.exec.call(
      new (require('node:sqlite').DatabaseSync)(process.argv[1]), "insert into images (id, width, height, created_at) values ('other', 1, 1, 1)")`;

    const ids = await db.transaction().execute(async (db) => {
      const before = await imageIds(db);
      const other = spawn(process.execPath, ['-e', insert, file], { stdio: 'ignore' });
      await once(other, 'exit');
      await insertImage(db, 'own');
      return [before, await imageIds(db)];
    });

    // The other process could not write in between.
    expect(ids).toEqual([[], ['own']]);
  });

  test('reads go on while a write waits for the lock of another process, and while a list takes long', async () => {
    const { db, listDb } = await open();
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    let ended = '';
    const write = insertImage(db, 'own').then(() => (ended += 'write'));

    expect([await imageIds(db), await imageIds(listDb), ended]).toEqual([[], [], '']);
    other.exec('rollback');
    other.close();
    await write;
    const list = longRead()
      .execute(listDb)
      .then(() => (ended += ' list'));
    // The list is being read now.
    await new Promise(setImmediate);
    expect([await imageIds(db), ended]).toEqual([['own'], 'write']);
    await list;
  });

  test('a read that takes too long is rejected, and the next has another thread', async () => {
    const readTimeoutMs = 300;
    const { listDb } = await open({ readTimeoutMs });
    const begun = performance.now();
    new DatabaseSync(':memory:').prepare(longText(200_000)).get();
    const rows = Math.ceil((200_000 * 4 * readTimeoutMs) / (performance.now() - begun));

    await expect(longRead(rows).execute(listDb)).rejects.toSatisfy(
      (error) => isUnavailable(error) && String(error) === 'Error: a statement took too long',
    );

    // A thread starts slowly while the machine is busy, for longer than this read may take.
    await expect.poll(() => imageIds(listDb).catch(String)).toEqual([]);
  });

  test('a thread that ends fails its transaction as a whole, and is replaced', async () => {
    const threads: Worker[] = [];
    const listen = (thread: Worker) => threads.push(thread);
    process.on('worker', listen);
    const errors: Error[] = [];
    const { db } = await open({ onError: (error) => errors.push(error) });

    const write = db.transaction().execute(async (db) => {
      await insertImage(db, 'first');
      process.off('worker', listen);
      await Promise.all(threads.map((thread) => thread.terminate()));
      await insertImage(db, 'second');
    });

    const error: unknown = await write.catch((error: unknown) => error);
    expect([isUnavailable(error), errors.map(String)]).toEqual([
      true,
      ['Error: the database’s thread ended'],
    ]);
    await insertImage(db, 'third');
    expect(await imageIds(db)).toEqual(['third']);
  });

  // POSIX takes all locks of a process on a file away when it closes any descriptor of it. Then an older SQLite in another process, such as
  // `sqlite3` of Debian 12, is the last one when it closes the file, and removes the log, with the orders of this process from then on.
  test.skipIf(process.platform !== 'linux')(
    'a thread that opens the file leaves the store its lock, which keeps the log there',
    async () => {
      const { db } = await open();
      await insertImage(db, 'image');

      const other = openFile(file);
      await insertImage(other, 'of another thread');

      const { ino } = statSync(file);
      const locks = readFileSync('/proc/locks', 'utf8').split('\n');
      expect(locks.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))).toEqual([
        expect.stringMatching(/POSIX +ADVISORY +READ .* 1073741826 1073742335$/),
      ]);
      await other.destroy();
    },
  );

  test('a transaction that got its lock too late does not keep it', async () => {
    const { db, pools } = await open({ statementTimeoutMs: 1_000 });
    const other = new DatabaseSync(file, { timeout: 0 });
    other.exec('begin immediate');

    await expect(db.transaction().execute((db) => insertImage(db, 'late'))).rejects.toThrow('took too long');

    other.exec('rollback');
    await expect.poll(() => pools()['writer']?.inUse).toBe(0);
    other.exec('begin immediate; rollback');
    other.close();
  });

  test('a full disk in a transaction is reported as such, and the next transaction works', async () => {
    const { db } = await open();
    await sql`create table texts (text text)`.execute(db);
    const write = (length: number) =>
      db.transaction().execute((db) => sql`insert into texts values (zeroblob(${length}))`.execute(db));
    await sql`pragma max_page_count = 100`.execute(db);

    const error: unknown = await write(1_000_000).catch((error: unknown) => error);

    expect(isUnavailable(error)).toBe(true);
    expect(String(error)).toContain('full');
    await write(10);
  });

  test('the version of the catalogue changes with the books, and not with orders', async () => {
    const { db, catalogueVersion } = await open();
    const other = await open();
    const book = { title: 'Emma', author: 'A', image: 'i', priceCents: 1 };
    const versions = [catalogueVersion.version()];
    for (const change of [
      () => insertImage(other.db, 'no book'),
      () => addBook(other.db, book, null),
      () => other.db.updateTable('books').set({ price_cents: 2 }).execute(),
      () => db.deleteFrom('books').execute(),
    ]) {
      await change();
      // The version is read once per turn of the event loop.
      await new Promise(setImmediate);
      versions.push(catalogueVersion.version());
    }

    expect(versions).toEqual([0, 0, 1, 2, 3]);
  });
});

// Windows has other rights than modes.
test.skipIf(process.platform === 'win32')(
  'the files of SQLite and their folder are for their user alone; those that are there keep the rights of the group, and other files all',
  () => {
    const [data = '', older = '', other = ''] = ['data', 'older', 'other'].map((name) => join(folder, name));
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const storeIn = (path: string) => join(path, 'store.db');
    const sqlite = openSqliteFile(storeIn(data));
    sqlite.exec('create table books (id integer)');

    const files = ['', '-shm', '-wal'].map((suffix) => storeIn(data) + suffix);
    expect([data, ...files].map(modeOf)).toEqual(['700', '600', '600', '600']);
    sqlite.close();

    mkdirSync(older, { mode: 0o755 });
    writeFileSync(storeIn(older), '');
    chmodSync(storeIn(older), 0o664);
    openSqliteFile(storeIn(older)).close();
    expect([modeOf(storeIn(older)), modeOf(older)]).toEqual(['660', '755']);

    mkdirSync(other);
    writeFileSync(storeIn(other), 'title,author\n'.repeat(100));
    chmodSync(storeIn(other), 0o644);
    expect(() => openSqliteFile(storeIn(other))).toThrow('not a database');
    expect(modeOf(storeIn(other))).toBe('644');
  },
);
