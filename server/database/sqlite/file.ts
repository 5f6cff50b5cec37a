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

/** How long a write waits for another process's. */
export const busyTimeoutMs = 5_000;

/** Opens a file, and makes one that is missing, with its folder. @throws also when another file came to the path meanwhile. */
export function openSqliteFile(file: string): DatabaseSync {
  createPrivate(file);
  const identity = identityOf(file);
  const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs });
  // Waits for a restore, which puts another file at this path.
  sqlite.exec('select count(*) from sqlite_schema');
  if (identityOf(file) !== identity) {
    sqlite.close();
    throw otherFileError(file);
  }
  takeRightsOfOthers(file);
  // synchronous: WAL alone survives a crash of the process, and no power cut. secure_delete: a customer may be erased.
  // wal_autocheckpoint: the commit that finds 16 MB in the log moves them to the file, for some 20 ms, which is seldom enough for orders.
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

export function openSqliteFileForReads(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  sqlite.exec('pragma trusted_schema = off');
  return sqlite;
}

/** As SQLite's own (SQLITE_CANTOPEN). A connection would take the log of the removed file for that of the file at the path, and damage both. */
export const otherFileError = (file: string): Error =>
  Object.assign(new Error(`${file} was removed or replaced`), { code: 'ERR_SQLITE_ERROR', errcode: 14 });

/** SQLite syncs the folder of its file, but none above: a power cut could lose all. */
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

/** SQLite's would be readable for all. One that is there is not opened: its close would take the locks of this process away (POSIX). */
function createPrivate(file: string): void {
  makePrivateFolder(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
    accessSync(file, constants.W_OK);
    return;
  }
  // Not blocking: the opening of a named pipe would wait for its reader.
  closeSync(openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o600));
}

/** An operator may have given rights to the group. @param file one that SQLite has read: a file of something else stays as it is. */
function takeRightsOfOthers(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    const stats = statSync(name, { throwIfNoEntry: false });
    const isOwn = stats?.uid === process.getuid?.();
    if (stats && isOwn && stats.mode & 0o007) chmodSync(name, stats.mode & 0o770);
  }
}

export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

export function isSameFile(path: string, other: string): boolean {
  const identity = identityOf(path);
  return identity !== undefined && identity === identityOf(other);
}
