import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['lab/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    provide: { postgresUrl: '' },
  },
});
