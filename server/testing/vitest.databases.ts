import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../database/open.ts';
import { readDatabaseSettings } from '../settings/settings.ts';
import { createPostgresDatabase, runStatements, shopRole, startPostgres } from './postgres-server.ts';

/** Makes a database with the store's tables, for tests to copy: a file, or a database on a server for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const server = project.name === 'SQLite' ? undefined : await startPostgres();
  if (server) {
    process.stdout.write(`Tests on ${server.version}\n`);
    await runStatements(server.url, `create role ${shopRole} login`);
  }
  const templateUrl = server
    ? await createPostgresDatabase(server.url, 'store', { owner: shopRole })
    : `sqlite:${join(folder, 'store.db')}`;
  await (await openDatabase(readDatabaseSettings({ DATABASE_URL: templateUrl }))).close();
  project.provide('postgresUrl', server?.url ?? '');
  project.provide('templateUrl', templateUrl);
  return async () => {
    await server?.stop();
    await rm(folder, { recursive: true });
  };
}
