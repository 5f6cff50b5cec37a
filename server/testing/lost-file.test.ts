import { copyFile, rename, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { createStoreDatabase, fileOf } from './test-database.ts';
import { openTestStore } from './test-store.ts';

// Windows removes no open file.
test.skipIf(process.platform === 'win32').each([
  ['removed', rm],
  ['replaced', (file: string) => copyFile(file, `${file}-copy`).then(() => rename(`${file}-copy`, file))],
])('a store whose SQLite file was %s is not ready, and the log has the reason once', async (_, lose) => {
  const { settings, url } = await createStoreDatabase();
  const log: { msg: string }[] = [];
  const store = await openTestStore({ database: settings, onLog: (line) => log.push(JSON.parse(line)) });
  const readiness = async () => (await store.call(paths.readiness)).status;
  expect(await readiness()).toBe(200);

  await lose(fileOf(url));
  const statuses = [await readiness(), await readiness()];

  expect(statuses).toEqual([503, 503]);
  expect(log.filter(({ msg }) => msg === 'requests are refused')).toEqual([
    expect.objectContaining({
      kind: 'UNAVAILABLE',
      reason: expect.stringContaining('was removed or replaced'),
    }),
  ]);
});
