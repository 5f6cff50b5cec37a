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

/** Opens a file. A missing file, and its folder, are made. @throws also when another file replaced this one meanwhile. */
export function openSqliteFile(file: string): DatabaseSync {
  createPrivate(file);
  const identity = identityOf(file);
  const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs });
  // The open waits for a restore, which puts another file at this path.
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

/** The error is like SQLite's own (SQLITE_CANTOPEN). A connection to a removed file would use the log of the new file, and damage both. */
export const otherFileError = (file: string): Error =>
  Object.assign(new Error(`${file} was removed or replaced`), { code: 'ERR_SQLITE_ERROR', errcode: 14 });

/** Syncs the folders above: SQLite syncs only the folder of its file, so a power cut could lose all. */
export function makePrivateFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // On Windows a folder cannot be opened, so it cannot be synced.
  if (first === undefined || process.platform === 'win32') return;
  const above = dirname(resolve(first));
  for (let made = resolve(folder); made !== above; made = dirname(made)) {
    const parent = openSync(dirname(made), 'r');
    fsyncSync(parent);
    closeSync(parent);
  }
}

/** Makes the file: SQLite's would be readable by everyone. An existing file is not opened: its close would drop this process's locks (POSIX). */
function createPrivate(file: string): void {
  makePrivateFolder(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
    accessSync(file, constants.W_OK);
    return;
  }
  // The open does not block: opening a named pipe would wait for its reader.
  closeSync(openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o600));
}

/** Removes the rights of other users; an operator may have given the group some. @param file one that SQLite has read, and so no other program's. */
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
