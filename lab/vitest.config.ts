import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { limits } from '../tools/test/vitest.config.ts';

const onPostgres = 'lab/**/*.postgres.test.ts';
const onEitherEngine = 'lab/rigs/{crashes,glewlwyd,last-copies,overload,process}.test.ts';

/** `x.test.ts` runs on SQLite where it needs a database, `x.postgres.test.ts` on PostgreSQL. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    ...limits,
    provide: { isFull: true },
    globalSetup: 'lab/rigs/programs.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'SQLite',
          include: ['lab/**/*.test.ts'],
          exclude: [...configDefaults.exclude, onPostgres],
          globalSetup: 'server/testing/vitest.databases.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: [onPostgres, onEitherEngine],
          globalSetup: 'server/testing/vitest.databases.ts',
        },
      },
    ],
  },
});
