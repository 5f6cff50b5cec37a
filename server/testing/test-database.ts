/** Databases of the engine that the Vitest project is for. */

import { randomUUID } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { type Database, type DatabaseSettings, openDatabase } from '../database/open.ts';
import { readDatabaseSettings } from '../settings/settings.ts';
import { endsWithTest, makeFolder } from './ends-with-test.ts';
import { createPostgresDatabase, runStatements, shopRole } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server that vitest.databases.ts started; empty on SQLite. */
    postgresUrl: string;
    /** URL of a database with the store's tables, to which nothing is connected. */
    templateUrl: string;
    /** With `--mode=full`, as in `npm run test:full`. */
    isFull: boolean;
  }
}

export type TestDatabase = {
  settings: DatabaseSettings;
  /** `DATABASE_URL` of the same database, for another process. */
  url: string;
  /** Opens it until the test ends. */
  open(): Promise<Database>;
  /** Opens it for this work alone. */
  use<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** May be called twice. */
  remove(): Promise<void>;
};

/** @returns true if the test runs in the PostgreSQL project. */
export const isOnPostgres = (): boolean => inject('postgresUrl') !== '';

/** @returns how many examples of a slow property are tried: a quarter, but in `npm run test:full` all. */
export const examplesOf = (count: number): number => Math.ceil(inject('isFull') ? count : count / 4);

/** Gives each test of the file a database: with the store's tables, or an empty one. */
export function setUpTestDatabase(create: () => Promise<TestDatabase> = createStoreDatabase) {
  let current: TestDatabase;
  beforeEach(async () => {
    current = await create();
  });
  return latest(() => ({ settings: current.settings, url: current.url, open: () => current.open() }));
}

/** What `read` returns whenever a part of it is read: tests take the parts of the current database. */
export const latest = <Parts extends object>(read: () => Parts): Parts =>
  new Proxy({} as Parts, { get: (_, name) => Reflect.get(read(), name) });

/** Opens one database for all tests of the file, which is faster than one for each. It is emptied before each test. */
export function setUpSharedDatabase() {
  let current: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    current = await createStoreDatabase();
    database = await current.open();
  });
  beforeEach(() => emptyTables(database));
  afterAll(async () => {
    await database.close();
    await current.remove();
  });
  return latest(() => {
    const { settings, url } = current;
    const { db, listDb } = database;
    /** Opens it again, as another process would, until the test ends. */
    const openAgain = () => current.open();
    return { settings, url, db, listDb, openAgain };
  });
}

/** Tables that tests write; one that refers to another comes before it. */
const tables = [
  ...(['activity', 'sign_in_attempts', 'books', 'stock', 'image_renditions', 'images'] as const),
  ...(['last_backup', 'orders', 'outbox', 'sessions', 'customers', 'tokens'] as const),
  ...(['words', 'word_deletions'] as const),
];

/** Makes the store's tables those of a new database. */
export async function emptyTables({ db, catalogueVersion }: Database): Promise<void> {
  await db.transaction().execute(async (db) => {
    for (const table of tables) await db.deleteFrom(table).execute();
    await db.updateTable('front_table').set({ heading: '', words: '' }).execute();
  });
  catalogueVersion.recordLocalChange();
}

/** Makes an empty database, and removes it after the test. */
export const createTestDatabase = (): Promise<TestDatabase> => createDatabase();

/** Makes a database with the store's tables, and removes it after the test. */
export const createStoreDatabase = (): Promise<TestDatabase> => createDatabase(inject('templateUrl'));

/** Copies a database to which nothing is connected, and removes the copy after the test. */
export const copyDatabase = (url: string): Promise<TestDatabase> => createDatabase(url);

/** @returns the URL of a database of PostgreSQL for its superuser. */
export const asSuperuser = (url: string): string =>
  Object.assign(new URL(url), { username: new URL(inject('postgresUrl')).username }).href;

/** The file that a URL of SQLite names. */
export const fileOf = (url: string): string => url.slice('sqlite:'.length);

/** Runs statements without the store. @returns the rows of the last one. */
export async function run({ url }: { url: string }, ...statements: readonly string[]): Promise<unknown[]> {
  if (isOnPostgres()) return await runStatements(url, ...statements);
  const sqlite = new DatabaseSync(fileOf(url));
  const rows = statements.map((statement) => sqlite.prepare(statement).all());
  sqlite.close();
  return (rows.at(-1) ?? []).map((row) => ({ ...row }));
}

/** @param template the URL of the database that it is a copy of. Unset: it is empty. */
async function createDatabase(template?: string): Promise<TestDatabase> {
  if (!isOnPostgres()) {
    const folder = await makeFolder();
    const file = join(folder, 'store.db');
    if (template !== undefined) await copyFile(fileOf(template), file);
    return testDatabaseAt(`sqlite:${file}`, () => rm(folder, { recursive: true, force: true }));
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const serverUrl = inject('postgresUrl');
  const copied = template === undefined ? {} : { template: new URL(template).pathname.slice(1) };
  const url = await createPostgresDatabase(serverUrl, name, { owner: shopRole, ...copied });
  const remove = async () => {
    await runStatements(serverUrl, `drop database if exists ${name} with (force)`);
  };
  endsWithTest(remove);
  return testDatabaseAt(url, remove);
}

function testDatabaseAt(url: string, remove: () => Promise<void>): TestDatabase {
  // What is fast on a quiet machine may take seconds while other tests run: a connection, a read.
  const timeouts = {
    DATABASE_CONNECT_TIMEOUT_MS: '20000',
    DATABASE_READ_TIMEOUT_MS: '20000',
    DATABASE_STATEMENT_TIMEOUT_MS: '20000',
  };
  const settings = readDatabaseSettings({ DATABASE_URL: url, ...timeouts });
  return {
    settings,
    url,
    async open() {
      const database = await openDatabase(settings);
      endsWithTest(database.close);
      return database;
    },
    async use(work) {
      const database = await openDatabase(settings);
      return await work(database).finally(database.close);
    },
    remove,
  };
}
