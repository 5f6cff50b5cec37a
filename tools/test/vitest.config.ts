import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type ProjectConfig, type TestSpecification } from 'vitest/node';

const others = '{commands,server,tools}/**/*.test.ts';
const onBothEngines = [
  'server/*/engines.test.ts',
  'server/catalogue/{beside,best-matches,book-list,index-books,desk-sales}.test.ts',
  'server/{sign-in/sessions,testing/faults}.test.ts',
  'server/database/{database,outbox-upgrade,released,stock-upgrade,upgrade}.test.ts',
  'server/orders/{copies,currency,ended-sessions,sales}.test.ts',
  'server/{shop-pages/shop-pages,ways/ways}.test.ts',
  'server/payments/*.test.ts',
  'commands/database-{backup,check,restore}.test.ts',
];
const onEitherEngine = [
  'server/{access,activity,catalogue,customers,front-table,images,import,mail,operations,orders,outbox,webhooks}/*.test.ts',
  'server/{pages,search,sign-in,testing}/*.test.ts',
  ...onBothEngines,
];
const onPostgres = '{server,commands}/**/*.postgres.test.ts';
const schedules = '{server,web}/**/*.schedules.test.{ts,tsx}';
/** The clocks of these tests are in the past and in the future, where no other test may make an id: the times of ids never go back. */
const model = 'server/testing/model/*.test.ts';

const root = join(import.meta.dirname, '..', '..');
const opens =
  /['/]testing\/|'node:(child_process|http|https|net|sqlite|tls)'|openDatabase|fastify\(|Worker\(/;
/** The tests of `npm run check` open no database, port or process. Those of the browser app, whose kit is web/testing/, never do. */
const plain = globSync('{commands,contract,server,tools,web}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: ['server/testing/**', schedules],
}).filter((file) => file.startsWith('web/') || !opens.test(readFileSync(join(root, file), 'utf8')));

// With the NODE_ENV of a caller that builds, such as `npm run prove`, React has no `act`, and schedules would go on before it has rendered.
process.env['NODE_ENV'] = 'test';
// With the compile cache, threads and processes that tests start load the server in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'colophon-tests');

export const limits = {
  // Each file opens real databases and servers, which compete for the cores. With one file more than there are cores on a
  // small machine, one works while another waits for a timer, a disk or a process.
  maxWorkers: 3,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

/** Short files that take long: Vitest begins with the largest, and the whole run would wait for these at its end. */
const firstFiles = [/model\/sequences/, /images\/draw-card/, /tools\/start/, /test\/package/];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const first = firstFiles.flatMap((name) => sorted.filter(({ moduleId }) => name.test(moduleId)));
    return [...new Set([...first, ...sorted])];
  }
}

const readSchedules = () => ({
  firstSeed: Number(process.env['FIRST_SCHEDULE'] ?? 1),
  count: Number(process.env['SCHEDULES'] ?? 100),
});

/** Files share what their worker has loaded: to load it takes a quarter of the time of all tests. They leave no mock behind. */
const isolate = false;

const elsewhere = [...plain, model, schedules];
const withDatabases = (test: ProjectConfig) => ({
  extends: true as const,
  test: { ...test, globalSetup: 'server/testing/vitest.databases.ts' },
});

/**
 * The name of a file says where its tests run: `x.test.ts` on SQLite where it needs a database, `x.postgres.test.ts` on
 * PostgreSQL. With `--mode=full`, as in `npm run test:full`, those with a database run on both.
 */
export default defineConfig(({ mode }) => ({
  root,
  test: {
    ...limits,
    provide: { isFull: mode === 'full', schedules: readSchedules() },
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'plain', isolate, include: plain } },
      { extends: true, test: { name: 'schedules', include: [schedules] } },
      withDatabases({ name: 'SQLite', isolate, include: [others], exclude: [...elsewhere, onPostgres] }),
      withDatabases({
        ...{ name: 'PostgreSQL', isolate, exclude: elsewhere },
        include: [...(mode === 'full' ? onEitherEngine : onBothEngines), onPostgres],
      }),
      withDatabases({ name: 'model', include: [model] }),
    ],
  },
}));
