import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The names of tests of what depends on the database: they run on both engines. The others have SQLite where they need one. */
const withDatabase = [
  'access',
  'activity',
  'admin-claim',
  'app',
  'attempts',
  'backchannel-logout',
  'best-matches',
  'book-list',
  'cached-responses',
  'connections',
  'database',
  'desk-books',
  'desk-routes',
  'durability',
  'edit-book',
  'export',
  'import',
  'faults',
  'images',
  'indexing',
  'inputs',
  'mail',
  'metrics',
  'main',
  'overload',
  'pages',
  'relevance',
  'released',
  'routes',
  'sales',
  'sessions',
  'sitemap',
  'spelling',
  'stop',
  'tokens',
  'upgrade',
  'wrong-requests',
];
const onDatabases = [`server/**/{${withDatabase}}.test.ts`, 'tools/shop/database-*.test.ts'];
/** Of these tests the engine changes nothing that other tests do not cover, and they take long. */
const onSqliteAlone = [
  'images/routes',
  'operations/routes',
  'pages/sitemap',
  'sign-in/attempts',
  'sign-in/backchannel-logout',
  'testing/app',
  'testing/cached-responses',
  'testing/connections',
  'testing/main',
].map((name) => `server/${name}.test.ts`);
/** Tests that need an engine with a server. */
const onPostgres = '{server,tools/shop}/**/*.postgres.test.ts';

const root = join(import.meta.dirname, '..', '..');
// Threads and processes that tests start load the server in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'colophon-tests');

export default defineConfig({
  root,
  test: {
    // Each file opens real databases and servers, which compete for the cores. With one file more than there are cores on a
    // small machine, one works while another waits for a timer, a disk or a process.
    maxWorkers: 3,
    testTimeout: 30_000,
    // What passes then is named at the end, see tally.ts.
    retry: 1,
    // A process starts slowly while other tests use the machine.
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['{contract,server,web,tools}/**/*.test.{ts,tsx}'],
          exclude: [...onDatabases, onPostgres],
          provide: { postgresUrl: '' },
        },
      },
      {
        extends: true,
        test: {
          name: 'SQLite',
          include: onDatabases,
          exclude: [onPostgres],
          provide: { postgresUrl: '' },
        },
      },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: [...onDatabases, onPostgres],
          exclude: onSqliteAlone,
          globalSetup: 'server/testing/vitest.postgres.ts',
        },
      },
    ],
  },
});
