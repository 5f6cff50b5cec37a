/** Files that are there whole or not at all, and that only this user can read: backups and exports have the customers' data. */

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';
import { isNetworkError } from './unavailable.ts';

/** Writes a file under another name beside it, and renames it when it is on the disk. A link at the path to a file is replaced itself. */
export async function writeWhole<Result>(
  file: string,
  { isForced }: { isForced: boolean },
  write: (part: string, handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const refuse = async () => {
    // A link counts as the file that it names; there may be no file.
    const found = await stat(file).catch(() => undefined);
    if (found && !found.isFile()) throw new StartError(`${file} is no regular file.`);
    if (!isForced && (await exists(file))) throw new StartError(`${file} exists; --force replaces it.`);
  };
  return await withPart(file, async (part) => {
    await refuse();
    await using handle = await open(part, 'wx', 0o600);
    const result = await write(part, handle);
    await handle.sync();
    await refuse();
    await rename(part, file);
    await syncFolder(file);
    return result;
  });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @param work gets the name of the unfinished file, which other users cannot guess, so they cannot put a file or a link there. */
export async function withPart<Result>(
  file: string,
  work: (part: string) => Promise<Result>,
): Promise<Result> {
  const part = `${file}.${process.pid}-${randomBytes(8).toString('hex')}.part`;
  const remove = () => {
    try {
      for (const suffix of ['', '-journal']) rmSync(part + suffix, { force: true });
    } catch {
      // The original error says more than a failure to remove the file.
    }
  };
  const end = (signal: NodeJS.Signals) => {
    remove();
    for (const name of signals) process.off(name, end);
    process.kill(process.pid, signal);
  };
  for (const name of signals) process.on(name, end);
  try {
    await removeLeftovers(file);
    return await work(part);
  } catch (error) {
    throw asFileError(file, error);
  } finally {
    remove();
    for (const name of signals) process.off(name, end);
  }
}

/** @returns a sentence for an error of the file itself, not for one of the database whose content it gets. */
const asFileError = (file: string, error: unknown): unknown => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined || isNetworkError(error)
    ? error
    : new StartError(`${file} cannot be written (${code}).`);
};

export const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

const leftover = /^(.*)\.(\d+)(?:-[0-9a-f]+)?\.part(-journal|-wal|-shm)?$/;
const timed = /^colophon-\d{8}T\d{6,9}Z\.(db|dump)$/;
const isTimed = (name: string) => timed.test(name.replace(/\.sha256$/, ''));

/** Removes what killed processes of this user have left of this file, and of all files with a time in their names. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const name = basename(file);
  for (const other of await readdir(folder)) {
    const [, written = '', pid] = leftover.exec(other) ?? [];
    const isOurs = written === name || (timed.test(name) && isTimed(written));
    if (!isOurs || !hasProcessEnded(Number(pid))) continue;
    const path = join(folder, other);
    // Windows has no numeric user ids: all are 0.
    const found = await lstat(path).catch(() => undefined);
    if (found?.uid === (process.getuid?.() ?? 0)) await rm(path, { force: true });
  }
}

/** In a container, an earlier process may have had the same process id. */
function hasProcessEnded(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** Syncs the folder: only then does a rename survive a power cut. Windows opens no folders. */
export async function syncFolder(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dirname(file), 'r');
  await handle.sync().finally(() => handle.close());
}

export const timedFile = (folder: string): string => join(folder, `colophon-${timeName()}.db`);

/** The time in a file's name, such as `20261122T031500123Z`: commands in quick succession have different ones. */
export const timeName = (): string => new Date().toISOString().replace(/[-:.]/g, '');

/** Removes a folder's oldest backups with names by {@link timedFile}, until `keep` are left, and also the sums of older ones. */
export async function removeOldest(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter(isTimed).sort();
  const [oldestKept = ''] = names.filter((name) => timed.test(name)).slice(-keep);
  // A backup sorts before its sum.
  for (const name of names) if (name < oldestKept) await rm(join(folder, name));
}
