import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeSqliteDialect, openSqliteFile } from './sqlite.ts';
import type { Tables } from './tables.ts';
import { isUnavailable } from './unavailable.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  file = join(folder, 'store.db');
});
afterEach(() => rm(folder, { recursive: true }));

test('a SQLite file is opened with durable commits, foreign keys and a time to wait for another process', () => {
  const sqlite = openSqliteFile(file);
  const pragma = (name: string) => Object.values(sqlite.prepare(`pragma ${name}`).get() ?? {})[0];

  const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'busy_timeout'];
  // 2 is FULL (SQLite's manual, pragma synchronous).
  expect(pragmas.map(pragma)).toEqual(['wal', 2, 1, 0, 5_000]);
  sqlite.close();
});

test('a transaction that reads first waits for the write of another process', async () => {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openSqliteFile(file)) });
  await sql`create table numbers (n integer)`.execute(db);
  const insert = `require('node:sqlite').DatabaseSync.prototype.exec.call(
    new (require('node:sqlite').DatabaseSync)(process.argv[1]), 'insert into numbers values (1)')`;

  const counts = await db.transaction().execute(async (db) => {
    const before = (await sql`select * from numbers`.execute(db)).rows.length;
    const other = spawn(process.execPath, ['-e', insert, file], { stdio: 'ignore' });
    await once(other, 'exit');
    await sql`insert into numbers values (2)`.execute(db);
    return [before, (await sql`select * from numbers`.execute(db)).rows.length];
  });
  await db.destroy();

  // The other process could not write in between.
  expect(counts).toEqual([0, 1]);
});

test('a full disk in a transaction is reported as such, and the next transaction works', async () => {
  const sqlite = openSqliteFile(file);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(sqlite) });
  await sql`create table texts (text text)`.execute(db);
  const write = (length: number) =>
    db.transaction().execute((db) => sql`insert into texts values (zeroblob(${length}))`.execute(db));
  sqlite.exec('pragma max_page_count = 10');

  const error: unknown = await write(1_000_000).catch((error: unknown) => error);

  expect(isUnavailable(error)).toBe(true);
  expect(String(error)).toContain('full');
  await write(10);
  await db.destroy();
});

// Windows has other rights than modes.
describe.skipIf(process.platform === 'win32')('the files of SQLite', () => {
  beforeEach(() => {
    file = join(folder, 'data', 'store.db');
  });

  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const modesOfFiles = () =>
    readdirSync(dirname(file)).map((name) => [name, modeOf(join(dirname(file), name))]);

  test('and their folder are for their user alone', () => {
    const sqlite = openSqliteFile(file);
    sqlite.exec('create table books (id integer)');

    expect(modeOf(dirname(file))).toBe('700');
    expect(modesOfFiles()).toEqual([
      ['store.db', '600'],
      ['store.db-shm', '600'],
      ['store.db-wal', '600'],
    ]);
    sqlite.close();
  });

  test('of an older version lose the rights of other users, and keep those of the group', () => {
    mkdirSync(dirname(file), { mode: 0o755 });
    writeFileSync(file, '');
    chmodSync(file, 0o664);

    openSqliteFile(file).close();

    expect([modeOf(file), modeOf(dirname(file))]).toEqual(['660', '755']);
  });
});
