/** An empty database of the engine that this run of the tests is for. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { DatabaseSettings } from '../database/open.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that vitest.postgres.ts started; empty in the project that tests on SQLite. */
    postgresUrl: string;
  }
}

export type TestDatabase = {
  settings: DatabaseSettings;
  /** For a process of its own. */
  url: string;
  remove(): Promise<void>;
};

export const isOnPostgres = (): boolean => inject('postgresUrl') !== '';

export async function createTestDatabase(): Promise<TestDatabase> {
  return isOnPostgres() ? await createPostgresDatabase(inject('postgresUrl')) : await createSqliteFile();
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

async function createPostgresDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await administer(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    settings: {
      engine: 'postgres',
      url: url.href,
      poolSize: 10,
      connectTimeoutMs: 2_000,
      statementTimeoutMs: 10_000,
    },
    url: url.href,
    remove: () => administer(`drop database ${name} with (force)`),
  };
}
