/** Opening SQLite's files. */

import {
  accessSync,
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UnavailableError } from '../unavailable.ts';

/** A write that waits longer than this for another process's write fails. */
export const busyTimeoutMs = 5_000;

/**
 * Opens a SQLite file. It is created if it is missing, and so is its folder. Other users of the machine cannot read it.
 * @throws SQLite's error, or one with the code REPLACED when another file came to the path meanwhile.
 */
export function openSqliteFile(file: string): DatabaseSync {
  createPrivate(file);
  const before = statSync(file, { bigint: true });
  const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs });
  // Waits for a restore, which puts another file at this path. A log that belonged to the file before it would damage it.
  sqlite.exec('select count(*) from sqlite_schema');
  if (statSync(file, { bigint: true, throwIfNoEntry: false })?.ino !== before.ino) {
    sqlite.close();
    throw Object.assign(new Error(`${file} was replaced`), { syscall: 'open', code: 'REPLACED' });
  }
  takeRightsOfOthers(file);
  // A long read or a migration makes the log large; then it becomes small again, of at most 64 MB.
  // Text that is deleted or overwritten must not stay in the file: a customer may be erased.
  // The log seldom has so many pages: checkpoints.ts has it begin anew before. This checkpoint would hold up the next commit.
  // FULL: an acknowledged commit survives a power cut. WAL alone survives only a crash of the process.
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma trusted_schema = off;
    pragma secure_delete = on;
    pragma journal_size_limit = 67108864;
    pragma wal_autocheckpoint = 8000;
  `);
  return sqlite;
}

/** Opens a SQLite file that {@link openSqliteFile} has opened before, for reads alone. They never wait for a write. */
export function openSqliteFileForReads(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  sqlite.exec('pragma trusted_schema = off');
  return sqlite;
}

/** Creates a folder for this user alone, unless it is there. SQLite syncs the folder of its file, but none above: a power cut could lose all. */
export function makePrivateFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Windows opens no folders.
  if (first === undefined || process.platform === 'win32') return;
  const above = dirname(resolve(first));
  for (let made = resolve(folder); made !== above; made = dirname(made)) {
    const parent = openSync(dirname(made), 'r');
    fsyncSync(parent);
    closeSync(parent);
  }
}

/**
 * Creates what is missing for this user alone: SQLite would make the file readable for all users. A file that is there is not opened: its
 * close would take the locks of all connections of this process away (POSIX), and another process could then remove their log.
 */
function createPrivate(file: string): void {
  makePrivateFolder(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
    try {
      accessSync(file, constants.W_OK);
    } catch (error) {
      throw Object.assign(error as NodeJS.ErrnoException, { syscall: 'open' });
    }
    return;
  }
  // Not blocking: the opening of a named pipe would wait for its reader.
  closeSync(openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o600));
}

/**
 * Takes the rights of other users from the files of an older version, but not those of the group, which an operator may have given.
 * @param file one that SQLite has read: a file of something else stays as it is.
 */
function takeRightsOfOthers(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    const stats = statSync(name, { throwIfNoEntry: false });
    const isOwn = stats?.uid === process.getuid?.();
    if (stats && isOwn && stats.mode & 0o007) chmodSync(name, stats.mode & 0o770);
  }
}

/** Which file is at a path; undefined for none. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && nameOf(stats);
}
const nameOf = ({ dev, ino }: BigIntStats): string => `${dev} ${ino}`;

/**
 * Another connection at the path would take the log of the first one for that of the file which is there now, and damage or remove both.
 * @param identity of the file that the first connection has opened.
 * @throws an error as SQLite's for a file that cannot be opened.
 */
export function refuseOtherFile(path: string, identity: string): void {
  if (identityOf(path) === identity) return;
  throw Object.assign(new Error(`${path} was removed or replaced`), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 14,
  });
}

/**
 * SQLite goes on writing to a file that was removed, or replaced as by a backup, and the system removes it at the end of the
 * process.
 * @param file one that was just opened.
 * @returns a function that throws {@link UnavailableError} when another file, or none, is at the path.
 */
export async function rememberFile(file: string): Promise<() => Promise<void>> {
  const opened = await identify(file);
  return async () => {
    const current = await identify(file).catch(() => undefined);
    if (current !== opened) {
      throw new UnavailableError(`${file} was removed or replaced: what this process changes will be lost`);
    }
  };
}

/** @returns whether both paths lead to one file: links do too. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  const [file, otherFile] = await Promise.all(
    [path, other].map((each) => identify(each).catch(() => undefined)),
  );
  return file !== undefined && file === otherFile;
}

/** @throws the system's error without a file at the path. */
async function identify(path: string): Promise<string> {
  return nameOf(await stat(path, { bigint: true }));
}
