import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { readDatabaseSettings } from '../settings.ts';
import { openTestStore } from './test-store.ts';

// Windows removes no open file.
test.skipIf(process.platform === 'win32').each([
  ['removed', rm],
  ['replaced', (file: string) => copyFile(file, `${file}-copy`).then(() => rename(`${file}-copy`, file))],
])('a store whose SQLite file was %s is not ready, and the log has the reason once', async (_, lose) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const file = join(folder, 'store.db');
  const log: { msg: string }[] = [];
  const store = await openTestStore({
    database: readDatabaseSettings({ DATABASE_URL: `sqlite:${file}` }),
    onLog: (line) => log.push(JSON.parse(line)),
  });
  const readiness = async () => (await store.call(paths.readiness)).status;
  expect(await readiness()).toBe(200);

  await lose(file);
  const statuses = [await readiness(), await readiness()];

  expect(statuses).toEqual([503, 503]);
  expect(log.filter(({ msg }) => msg === 'requests are refused')).toEqual([
    expect.objectContaining({
      kind: 'UNAVAILABLE',
      reason: expect.stringContaining('was removed or replaced'),
    }),
  ]);
  await store.close();
  await rm(folder, { recursive: true });
});
