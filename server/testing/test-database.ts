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
    /** The URL of the server that vitest.databases.ts has started; empty on SQLite. */
    postgresUrl: string;
    /** The URL of a database with the store's tables and without connections, to copy. */
    templateUrl: string;
    /** True with `--mode=full`, as in `npm run test:full`. */
    isFull: boolean;
  }
}

export type TestDatabase = {
  settings: DatabaseSettings;
  /** The `DATABASE_URL` of this database, for another process. */
  url: string;
  /** Opens the database until the test ends. */
  open(): Promise<Database>;
  /** Opens the database for this task only. */
  use<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** Closes the database; a second call is allowed. */
  remove(): Promise<void>;
};

/** @returns true if the test runs in the PostgreSQL project. */
export const isOnPostgres = (): boolean => inject('postgresUrl') !== '';

/** @returns how many examples of a slow property are tried: in `npm run test:full` all, otherwise a quarter. */
export const examplesOf = (count: number): number => Math.ceil(inject('isFull') ? count : count / 4);

/** Gives each test of the file a database: with the store's tables, or an empty one. */
export function setUpTestDatabase(create: () => Promise<TestDatabase> = createStoreDatabase) {
  let current: TestDatabase;
  beforeEach(async () => {
    current = await create();
  });
  return latest(() => ({ settings: current.settings, url: current.url, open: () => current.open() }));
}

/** An object that reads its parts from `read` at each access: tests see the current database. */
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
    /** Opens the database again, as another process would, until the test ends. */
    const openAgain = () => current.open();
    return { settings, url, db, listDb, openAgain };
  });
}

/** Tables that tests write to; a table that refers to another comes before it. */
const tables = [
  ...(['activity', 'sign_in_attempts', 'books', 'stock', 'image_renditions', 'images'] as const),
  ...(['last_backup', 'orders', 'payments', 'charges', 'outbox', 'sessions', 'customers', 'tokens'] as const),
  ...(['words', 'word_deletions', 'ways', 'pages'] as const),
];

/** Empties the store's tables, as in a new database. */
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

/** The file in a URL of SQLite. */
export const fileOf = (url: string): string => url.slice('sqlite:'.length);

/** Runs statements without the store. @returns the rows of the last one. */
export async function run({ url }: { url: string }, ...statements: readonly string[]): Promise<unknown[]> {
  if (isOnPostgres()) return await runStatements(url, ...statements);
  const sqlite = new DatabaseSync(fileOf(url));
  const rows = statements.map((statement) => sqlite.prepare(statement).all());
  sqlite.close();
  return (rows.at(-1) ?? []).map((row) => ({ ...row }));
}

/** @param template the URL of the database to copy. Unset: the new database is empty. */
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
  // The limits are long: while other tests run, fast actions such as a read may take seconds.
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
