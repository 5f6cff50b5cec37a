/** Opening SQLite's files. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A write that waits longer than this for another process's write fails. */
export const busyTimeoutMs = 5_000;

/**
 * Opens a SQLite file. It is created if it is missing, and so is its folder. Other users of the machine cannot read it.
 * @throws SQLite's error, or one with the code REPLACED when another file came to the path meanwhile.
 */
export function openSqliteFile(file: string): DatabaseSync {
  createPrivate(file);
  const identity = identityOf(file);
  const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs });
  // Waits for a restore, which puts another file at this path. A log that belonged to the file before it would damage it.
  sqlite.exec('select count(*) from sqlite_schema');
  if (identityOf(file) !== identity) {
    sqlite.close();
    throw Object.assign(new Error(`${file} was replaced`), { syscall: 'open', code: 'REPLACED' });
  }
  takeRightsOfOthers(file);
  // synchronous: an acknowledged commit survives a power cut. WAL alone survives only a crash of the process.
  // secure_delete: text that is deleted or overwritten must not stay in the file, as a customer may be erased.
  // journal_size_limit: after a long read or a migration the log becomes small again.
  // wal_autocheckpoint: the commit that finds 16 MB in the log moves them to the file, for some 20 ms: seldom enough for the p99 of orders.
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma trusted_schema = off;
    pragma secure_delete = on;
    pragma journal_size_limit = 67108864;
    pragma wal_autocheckpoint = 4000;
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
    accessSync(file, constants.W_OK);
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
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/** @returns whether both paths lead to one file: links do too. */
export function isSameFile(path: string, other: string): boolean {
  const identity = identityOf(path);
  return identity !== undefined && identity === identityOf(other);
}

/**
 * Another connection at the path would take the log of the first one for that of the file which is there now, and damage or remove both.
 * @param identity of the file that the first connection has opened.
 * @throws an error as SQLite's for a file that cannot be opened (SQLITE_CANTOPEN).
 */
export function refuseOtherFile(path: string, identity: string): void {
  if (identityOf(path) === identity) return;
  const codes = { code: 'ERR_SQLITE_ERROR', errcode: 14 };
  throw Object.assign(new Error(`${path} was removed or replaced`), codes);
}
