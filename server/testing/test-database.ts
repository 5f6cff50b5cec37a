/** An empty database for each test, of the engine that the Vitest project is for. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { DatabaseSettings } from '../database/open.ts';
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

export async function createTestDatabase(): Promise<TestDatabase> {
  return isOnPostgres() ? await createOnPostgres(inject('postgresUrl')) : await createSqliteFile();
}

async function createSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const file = join(folder, 'store.db');
  return {
    settings: { engine: 'sqlite', file },
    url: `sqlite:${file}`,
    remove: () => rm(folder, { recursive: true }),
  };
}

async function createOnPostgres(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createPostgresDatabase(serverUrl, name);
  return {
    settings: { engine: 'postgres', url, poolSize: 10, connectTimeoutMs: 2_000, statementTimeoutMs: 10_000 },
    url,
    remove: () => runStatements(serverUrl, `drop database ${name} with (force)`),
  };
}
