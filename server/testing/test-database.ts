/** An empty database for each test, of the engine that the Vitest project is for. */

import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { type Database, type DatabaseSettings, openDatabase } from '../database/open.ts';
import type { Tables } from '../database/tables.ts';
import { readDatabaseSettings } from '../settings.ts';
import { createPostgresDatabase, runStatements } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server that vitest.postgres.ts started; empty in the SQLite project. */
    postgresUrl: string;
  }
}

export type TestDatabase = {
  settings: DatabaseSettings;
  /** `DATABASE_URL` of the same database, for another process. */
  url: string;
  remove(): Promise<void>;
};

/** Whether the test runs in the PostgreSQL project. */
export const isOnPostgres = (): boolean => inject('postgresUrl') !== '';

/** Gives each test of the file an empty database. Its databases are closed, and it is removed, after the test. */
export function setUpTestDatabase() {
  let current: TestDatabase;
  const opened: Database[] = [];
  beforeEach(async () => {
    current = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    await current.remove();
  });
  return {
    get settings() {
      return current.settings;
    },
    get url() {
      return current.url;
    },
    async open(): Promise<Database> {
      const database = await openDatabase(current.settings);
      opened.push(database);
      return database;
    },
  };
}

/**
 * Opens one database for all tests of the file, which is faster than one for each.
 * @param emptied tables that are emptied before each test.
 */
export function setUpSharedDatabase(...emptied: (keyof Tables)[]) {
  let current: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    current = await createTestDatabase();
    database = await openDatabase(current.settings);
  });
  beforeEach(async () => {
    for (const table of emptied) await database.db.deleteFrom(table).execute();
  });
  afterAll(async () => {
    await database.close();
    await current.remove();
  });
  return {
    get settings() {
      return current.settings;
    },
    get db() {
      return database.db;
    },
    get listDb() {
      return database.listDb;
    },
  };
}

/** Makes an empty database. The caller removes it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return isOnPostgres() ? await createOnPostgres(inject('postgresUrl')) : await createSqliteFile();
}

let template: Promise<TestDatabase> | undefined;
afterAll(async () => (await template)?.remove());

/** Makes a database with the store's tables, as a copy of one that is brought up to date once a file. The caller removes it. */
export async function createStoreDatabase(): Promise<TestDatabase> {
  template ??= createTemplate();
  const { url } = await template;
  if (isOnPostgres()) return await createOnPostgres(inject('postgresUrl'), new URL(url).pathname.slice(1));
  const database = await createSqliteFile();
  await copyFile(fileOf(url), fileOf(database.url));
  return database;
}

async function createTemplate(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await (await openDatabase(database.settings)).close();
  return database;
}

const fileOf = (url: string) => url.slice('sqlite:'.length);

/** A read that is fast on a quiet machine may take seconds while other tests run. */
const timeouts = { DATABASE_READ_TIMEOUT_MS: '20000', DATABASE_STATEMENT_TIMEOUT_MS: '20000' };

async function createSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const url = `sqlite:${join(folder, 'store.db')}`;
  return {
    settings: readDatabaseSettings({ DATABASE_URL: url, ...timeouts }),
    url,
    remove: () => rm(folder, { recursive: true }),
  };
}

async function createOnPostgres(serverUrl: string, template?: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createPostgresDatabase(serverUrl, name, template);
  return {
    settings: readDatabaseSettings({ DATABASE_URL: url, ...timeouts }),
    url,
    remove: () => runStatements(serverUrl, `drop database ${name} with (force)`),
  };
}
