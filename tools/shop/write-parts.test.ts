import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { readDatabaseSettings } from '../../server/settings.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import { reader } from '../../server/testing/test-store.ts';
import { runScript } from '../test/run-script.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const database = await openDatabase(readDatabaseSettings({ DATABASE_URL: url() }));
  await startSession(database.db, reader, { providerIssuer: reader.issuer });
  await database.close();
});
afterAll(() => rm(root, { recursive: true }));

const url = () => `sqlite:${join(root, 'store.db')}`;
/** A folder that other users may write to, with a file of theirs. */
const openFolder = async () => {
  const folder = await mkdtemp(join(root, 'open-'));
  await chmod(folder, 0o777);
  await writeFile(join(folder, 'theirs'), 'theirs');
  return { folder, file: join(folder, 'out'), theirs: join(folder, 'theirs') };
};

test.each([
  ['orders export', (file: string) => ['orders', 'export', file, '--force']],
  ['customers export', (file: string) => ['customers', 'export', reader.email, '--to', file, '--force']],
  ['books export', (file: string) => ['books', 'export', file, '--force']],
  ['database backup', (file: string) => ['database', 'backup', file, '--force']],
])('%s writes through no file or link that another user has prepared', async (_, args) => {
  const { folder, file, theirs } = await openFolder();
  await symlink(theirs, file);
  await symlink(theirs, `${file}.part`);

  expect(await runScript('shop', args(file), { DATABASE_URL: url() })).toMatchObject({ exitCode: 0 });

  expect(await readFile(theirs, 'utf8')).toBe('theirs');
  const written = await lstat(file);
  expect({ isFile: written.isFile(), mode: written.mode & 0o777, uid: written.uid }).toEqual({
    isFile: true,
    mode: 0o600,
    uid: process.getuid?.() ?? 0,
  });
  expect(await readdir(folder)).toEqual(['out', 'out.part', 'theirs']);
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

  await runScript('shop', ['orders', 'export', file], { DATABASE_URL: url() });

  expect(await readdir(folder)).toEqual(['out', `out.${noProcess}-0b.part`, 'theirs']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'an export that %s ends leaves no file',
  async (signal) => {
    const { folder, file } = await openFolder();
    // The export waits for its entry in the audit trail.
    const sqlite = new DatabaseSync(join(root, 'store.db'));
    sqlite.exec('begin immediate');
    const command = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), 'orders', 'export', file], {
      env: { ...process.env, DATABASE_URL: url() },
      stdio: 'ignore',
    });
    const exit = once(command, 'exit');
    await expect.poll(() => readdir(folder), { timeout: 20_000 }).toHaveLength(2);

    command.kill(signal);

    expect(await exit).toEqual([null, signal]);
    sqlite.close();
    expect(await readdir(folder)).toEqual(['theirs']);
  },
);

test('--force replaces no device, pipe or folder', async () => {
  const { folder } = await openFolder();
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  await symlink(pipe, join(folder, 'link'));

  for (const file of [pipe, join(folder, 'link'), folder]) {
    expect(await runScript('shop', ['orders', 'export', file, '--force'], { DATABASE_URL: url() })).toEqual({
      stdout: '',
      stderr: `${file} is no regular file.\n`,
      exitCode: 1,
    });
  }
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  expect(await readdir(folder)).toEqual(['link', 'pipe', 'theirs']);
});

test('what cannot be written or read is one sentence', async () => {
  const { folder } = await openFolder();
  const long = join(folder, 'x'.repeat(240));
  const fails = async (path: string) => {
    const { stdout, stderr, exitCode } = await runScript('shop', ['orders', 'export', path], {
      DATABASE_URL: url(),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    return stderr;
  };

  expect(await fails(long)).toBe(`${long} cannot be written (ENAMETOOLONG).\n`);
  expect(await fails(`${join(folder, 'theirs')}/`)).toMatch(
    /^\S+theirs\/ cannot be written \(ENOTDIR\)\.\n$/,
  );

  const full = await open('/dev/full', 'w');
  await mkdir(join(folder, '.env'));
  const run = join(import.meta.dirname, 'run.ts');
  const start = (cwd: string, stdout: 'ignore' | number) =>
    spawn(process.execPath, [run, 'orders', 'export', '-'], {
      cwd,
      env: { ...process.env, DATABASE_URL: url() },
      stdio: ['ignore', stdout, 'pipe'],
    });
  const errors = [start(root, full.fd), start(folder, 'ignore')].map(({ stderr }) => stderr && text(stderr));
  expect(await Promise.all(errors)).toEqual([
    'Standard output cannot be written (ENOSPC).\n',
    '.env cannot be read (EISDIR).\n',
  ]);
  await full.close();
});
