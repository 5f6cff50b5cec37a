import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lchown, lstat, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { startSession } from '../server/sign-in/sessions.ts';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { createStoreDatabase, fileOf, type TestDatabase } from '../server/testing/test-database.ts';
import { reader } from '../server/testing/test-store.ts';
import { outcomeOf, runShop, startShop } from './testing/shop.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createStoreDatabase();
  await testDatabase.use(({ db }) => startSession(db, reader, { providerIssuer: reader.issuer }));
  return testDatabase.remove;
});

const environment = () => ({ DATABASE_URL: testDatabase.url });
const shop = (args: readonly string[]) => runShop(args, environment());
/** A folder that other users may write to, with a file of theirs. */
const openFolder = async () => {
  const folder = await makeFolder();
  await chmod(folder, 0o777);
  await writeFile(join(folder, 'theirs'), 'theirs');
  return { folder, file: join(folder, 'out'), theirs: join(folder, 'theirs') };
};

test('each command that writes a file replaces one with --force alone, and writes through no file or link that another user has prepared', async () => {
  for (const name of [
    'orders export',
    `customers export ${reader.email} --to`,
    'books export',
    'database backup',
  ]) {
    const { folder, file, theirs } = await openFolder();
    const writeTo = (file: string, ...options: string[]) => shop([...name.split(' '), file, ...options]);
    const failed = (stderr: string) => ({ stdout: '', stderr, exitCode: 1 });

    expect(await writeTo(theirs)).toEqual(failed(`${theirs} exists; --force replaces it.\n`));
    const missing = join(folder, 'none', 'out');
    expect(await writeTo(missing)).toEqual(failed(`${missing} cannot be written (ENOENT).\n`));
    for (const link of [file, `${file}.part`]) await symlink(theirs, link);
    expect(await writeTo(file, '--force'), name).toMatchObject({ exitCode: 0 });

    expect(await readFile(theirs, 'utf8'), name).toBe('theirs');
    const written = await lstat(file);
    const rights = { isFile: written.isFile(), mode: written.mode & 0o777, uid: written.uid };
    expect(rights, name).toEqual({ isFile: true, mode: 0o600, uid: process.getuid?.() ?? 0 });
    // The sum of a backup is beside it.
    const names = (await readdir(folder)).filter((name) => name !== 'out.sha256');
    expect(names, name).toEqual(['out', 'out.part', 'theirs']);
    expect(await writeTo(theirs, '--force'), name).toMatchObject({ exitCode: 0 });
    expect(await readFile(theirs, 'utf8'), name).not.toBe('theirs');
  }
});

test('an export removes what a killed one of this user has left, and no file of another user', async ({
  skip,
}) => {
  skip(process.getuid?.() !== 0, 'only root can give a file to another user');
  const { folder, file, theirs } = await openFolder();
  const noProcess = 2 ** 30;
  await writeFile(`${file}.${noProcess}-0a.part`, 'half');
  await symlink(theirs, `${file}.${noProcess}-0b.part`);
  await lchown(`${file}.${noProcess}-0b.part`, 65_534, 65_534);

  await shop(['orders', 'export', file]);

  expect(await readdir(folder)).toEqual(['out', `out.${noProcess}-0b.part`, 'theirs']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('an export that a signal ends leaves no file', async () => {
  const { folder, file } = await openFolder();
  // The export waits for its entry in the audit trail.
  const sqlite = new DatabaseSync(fileOf(testDatabase.url));
  sqlite.exec('begin immediate');
  const command = startShop(['orders', 'export', file], environment(), { stdio: 'ignore' });
  const exit = once(command, 'exit');
  await expect.poll(() => readdir(folder), { timeout: 20_000 }).toHaveLength(2);

  command.kill('SIGHUP');

  expect(await exit).toEqual([null, 'SIGHUP']);
  sqlite.close();
  expect(await readdir(folder)).toEqual(['theirs']);
});

test('--force replaces no device, pipe or folder', async () => {
  const { folder } = await openFolder();
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  await symlink(pipe, join(folder, 'link'));

  for (const file of [pipe, join(folder, 'link'), folder]) {
    expect(await shop(['orders', 'export', file, '--force'])).toEqual({
      stdout: '',
      stderr: `${file} is no regular file.\n`,
      exitCode: 1,
    });
  }
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  expect(await readdir(folder)).toEqual(['link', 'pipe', 'theirs']);
});

test('what cannot be written is one sentence', async () => {
  const { theirs } = await openFolder();
  expect((await shop(['orders', 'export', `${theirs}/`])).stderr).toMatch(
    / cannot be written \(ENOTDIR\)\.\n$/,
  );

  const full = await open('/dev/full', 'w');
  const command = startShop(['orders', 'export', '-'], environment(), { stdio: ['ignore', full.fd, 'pipe'] });
  expect((await outcomeOf(command)).stderr).toBe('Standard output cannot be written (ENOSPC).\n');
  await full.close();
});
