import { copyFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { openDatabase } from '../database/open.ts';
import { createStoreDatabase, fileOf } from './test-database.ts';
import { openTestStore } from './test-store.ts';

// Windows removes no open file.
const onUnix = test.skipIf(process.platform === 'win32').each([
  ['removed', rm],
  ['replaced', (file: string) => copyFile(file, `${file}-copy`).then(() => rename(`${file}-copy`, file))],
]);

onUnix('a store whose SQLite file was %s is not ready, and the log has the reason once', async (_, lose) => {
  const { settings, url } = await createStoreDatabase();
  const log: { msg: string }[] = [];
  const store = await openTestStore({ database: settings, onLog: (line) => log.push(JSON.parse(line)) });
  const readiness = async () => (await store.call(paths.readiness)).status;
  expect(await readiness()).toBe(200);

  await lose(fileOf(url));

  await expect.poll(readiness, { interval: 20 }).toBe(503);
  expect(await readiness()).toBe(503);
  expect(log.filter(({ msg }) => msg === 'requests are refused')).toEqual([
    expect.objectContaining({
      kind: 'UNAVAILABLE',
      reason: expect.stringContaining('was removed or replaced'),
    }),
  ]);
});

onUnix(
  'a thread that starts when the SQLite file was %s touches neither the path nor the log',
  async (_, lose) => {
    const { settings, url } = await createStoreDatabase();
    const file = fileOf(url);
    const { db, close } = await openDatabase(settings);
    const facts = (path: string) =>
      stat(path).then(
        ({ ino, mtimeMs, size }) => ({ ino, mtimeMs, size }),
        () => undefined,
      );
    const write = (key: string) =>
      db.insertInto('attempt_keys').values({ id: key, secret: '', created_at: 0 }).execute();
    await write('first');
    const log = await facts(`${file}-wal`);

    await lose(file);
    const before = await facts(file);
    // The thread for checkpoints starts after 32 writes.
    for (let count = 0; count < 40; count += 1) await write(`key ${count}`);
    await pause(500);

    expect(await facts(file)).toEqual(before);
    expect((await facts(`${file}-wal`))?.ino).toBe(log?.ino);
    await close();
  },
);
