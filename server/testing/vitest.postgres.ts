import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

/** Starts one PostgreSQL server for the whole run; each test has a database on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  process.stdout.write(`Tests on ${server.version}\n`);
  project.provide('postgresUrl', server.url);
  return server.stop;
}
