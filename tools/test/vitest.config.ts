import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What stores or reads: run on both engines. */
const onDatabases =
  'server/**/{routes,access,sessions,app,main,response-cache,durability,database,upgrade}.test.ts';
/** What only an engine that is a server can do or suffer. */
const onPostgres = 'server/**/*.postgres.test.ts';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    // Each file opens real databases and servers; more at once than cores would only wait for each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    // Starting a process on a machine that is busy with the other half of the tests takes its time.
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['{contract,server,web,tools}/**/*.test.{ts,tsx}'],
          exclude: [onDatabases, onPostgres],
        },
      },
      { extends: true, test: { name: 'SQLite', include: [onDatabases], provide: { postgresUrl: '' } } },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: [onDatabases, onPostgres],
          globalSetup: 'server/testing/vitest.postgres.ts',
        },
      },
    ],
  },
});
