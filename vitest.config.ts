import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    // Each file opens real databases and servers; more at once than cores would only wait for each other.
    maxWorkers: 2,
    testTimeout: 20_000,
  },
});
