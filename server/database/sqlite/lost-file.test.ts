import { copyFile, rename, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { paths } from '../../../contract/paths.ts';
import { createStoreDatabase, fileOf } from '../../testing/test-database.ts';
import { openTestStore } from '../../testing/test-store.ts';

// Windows does not remove a file that is open.
const onUnix = test.skipIf(process.platform === 'win32').each([
  ['removed', rm],
  ['replaced', (file: string) => copyFile(file, `${file}-copy`).then(() => rename(`${file}-copy`, file))],
]);

onUnix('a store whose SQLite file was %s is not ready, and the log has the reason once', async (_, lose) => {
  const { settings, url } = await createStoreDatabase();
  const log: { msg: string }[] = [];
  const store = await openTestStore({ database: settings, onLog: (line) => log.push(JSON.parse(line)) });

  await lose(fileOf(url));

  for (const _ of [1, 2]) expect((await store.call(paths.readiness)).status).toBe(503);
  const reason = expect.stringContaining('was removed or replaced');
  expect(log.filter(({ msg }) => msg === 'requests are refused')).toMatchObject([
    { kind: 'UNAVAILABLE', reason },
  ]);
});
