import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '../contract/order.ts';
import { paths } from '../contract/paths.ts';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { canMountDisk, mountSmallDisk } from '../server/testing/small-disk.ts';
import {
  createStoreDatabase,
  fileOf,
  isOnPostgres,
  type TestDatabase,
} from '../server/testing/test-database.ts';
import { emma, openTestStore, orderOf, readJson, type TestStore } from '../server/testing/test-store.ts';
import { addEmma, addLargeImages, killWhen } from './testing/database.ts';
import { runShop, startShop } from './testing/shop.ts';

let folder: string;
let testDatabase: TestDatabase;
/** A store that runs during every backup. */
let store: TestStore;
beforeAll(async () => {
  testDatabase = await createStoreDatabase();
  store = await openTestStore({ database: testDatabase.settings, settings: { hasRateLimits: false } });
  await addEmma(store.database.db);
  return async () => {
    await store.close();
    await testDatabase.remove();
  };
});
beforeEach(async () => {
  folder = await makeFolder();
});

const path = (name: string) => join(folder, name);
const shop = (args: readonly string[]) =>
  runShop(['database', 'backup', ...args], { DATABASE_URL: testDatabase.url });
const start = (file: string) => startShop(['database', 'backup', file], { DATABASE_URL: testDatabase.url });
const backUp = async (...args: readonly string[]) => {
  const { stdout, stderr, exitCode } = await shop([...args, '--json']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return JSON.parse(stdout);
};

test('in a folder each backup has a name of its own, and the oldest beyond --keep go', async () => {
  const old = ['01', '02', '03'].map(
    (day) => `colophon-202601${day}T030000Z.${day === '01' ? 'dump' : 'db'}`,
  );
  // The last file belongs to a backup that was killed before the file had its name.
  const sums = [...old.slice(1), 'colophon-20260100T030000Z.dump'].map((name) => `${name}.sha256`);
  for (const name of [...old, ...sums, 'notes.txt']) await writeFile(path(name), '');

  const { file } = await backUp(folder, '--keep', '2');

  expect(file).toMatch(/colophon-\d{8}T\d{9}Z\.db$/);
  expect((await readdir(folder)).sort().map(path)).toEqual(
    [path(old[2] ?? ''), path(`${old[2]}.sha256`), file, `${file}.sha256`, path('notes.txt')].sort(),
  );
});

test('sha256sum checks a backup by the file beside it, also when it is replaced, and prints how large it is', async () => {
  const name = 'b';
  const check = () =>
    promisify(execFile)('sha256sum', ['--check', '--strict', `${name}.sha256`], { cwd: folder });

  await backUp(path(name));
  await check();
  const read = () => readFile(path(`${name}.sha256`), 'utf8').catch(() => '');
  let isDone = false;
  const replaced = shop([path(name), '--force']).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const before = await read();
    const sum = hash('sha256', await readFile(path(name)));
    if (before !== '' && before === (await read())) expect(before).toContain(sum);
  }
  const { stdout } = await replaced;

  expect((await check()).stderr).toBe('');
  expect((await stat(path(`${name}.sha256`))).mode & 0o777).toBe(0o600);
  const size = (await stat(path(name))).size.toLocaleString('en-GB');
  expect(stdout).toBe(`${path(name)}: ${size} bytes, 1 book, 0 customers, 0 orders\n`);
});

test('one sentence tells what is wrong: no folder, the database itself', async () => {
  expect(await shop([path('b'), '--keep', '2'])).toEqual({
    stdout: '',
    stderr: `--keep: ${path('b')} is no folder. Make it first.\n`,
    exitCode: 2,
  });
  if (isOnPostgres()) return;
  const file = fileOf(testDatabase.url);
  expect((await shop([file, '--force'])).stderr).toBe(`${file} is the database itself.\n`);
});

test('a backup beside orders has each that was acknowledged before its start, and nobody else can read it', {
  timeout: 60_000,
}, async () => {
  const cookie = await store.signIn();
  const placed: string[] = [];
  let isDone = false;
  const buy = async () => {
    while (!isDone) {
      const response = await store.call(paths.addOrder, { json: orderOf(emma), cookie });
      placed.push((await readJson<Order>(response, 201))._id);
    }
  };
  const buying = Promise.all([buy(), buy()]);
  await expect.poll(() => placed.length).toBeGreaterThan(20);
  const before = [...placed];

  const done = await backUp(path('b'));
  isDone = true;
  await buying;

  expect(done).toEqual({
    file: path('b'),
    bytes: (await stat(path('b'))).size,
    startedAt: expect.stringMatching(/Z$/),
    books: 1,
    customers: 1,
    orders: expect.any(Number),
  });
  expect(done.orders).toBeGreaterThanOrEqual(before.length);
  expect(done.orders).toBeLessThanOrEqual(placed.length);
  expect((await stat(path('b'))).mode & 0o777).toBe(0o600);
  const { payload: metrics } = await store.app.inject({ url: paths.metrics });
  const [, seconds] = /^backup_last_success_timestamp_seconds (.*)$/m.exec(metrics) ?? [];
  expect(Number(seconds) * 1000).toBe(Date.parse(done.startedAt));
  const copy = new DatabaseSync(path('b'), { readOnly: true });
  const rows = copy.prepare('select id from orders').all();
  copy.close();
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
});

test('a backup into a full folder names that folder, and leaves nothing there', async ({ skip }) => {
  skip(!canMountDisk, 'only root mounts a small disk');
  const full = await mountSmallDisk(2);
  await addLargeImages(store.database.db, 4);

  const { stderr, exitCode } = await shop([join(full, 'b')]);

  expect(exitCode).toBe(1);
  expect(stderr).toBe(`${full} cannot be used (database or disk is full).\n`);
  expect(await readdir(full)).toEqual([]);
});

test('kill -9 in the middle leaves no file of that name, and the next backup removes what it left', {
  timeout: 60_000,
}, async () => {
  await addLargeImages(store.database.db, isOnPostgres() ? 3 : 12);
  const parts = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));
  const isCopying = async () => {
    const [part = ''] = await parts();
    return part !== '' && (await stat(path(part))).size > 0;
  };

  expect(await killWhen(start(path('b')), isCopying)).toBe(true);
  expect(await readdir(folder)).not.toContain('b');
  expect(await parts()).toHaveLength(1);
  await backUp(path('b'));

  expect(await readdir(folder)).toEqual(['b', 'b.sha256']);
});
