import { stat, statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Kysely, type Logger } from 'kysely';
import { createCatalogueVersion } from '../catalogue-version.ts';
import type { Space } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { UnavailableError } from '../unavailable.ts';
import { openChangeCount } from './changes.ts';
import { sqliteDialect } from './dialect.ts';
import { identityOf } from './file.ts';
import { SqliteThreads } from './threads.ts';

export type SqliteSettings = {
  engine: 'sqlite';
  file: string;
  /** For one statement. */
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

/** A longer queue means that the disk has stopped: the clients have given up by then. */
const maxQueued = 1_000;
const maxQueuedLists = 64;

/** Opens a file for one thread that writes, one for single reads, and one or more for lists. */
export async function openSqlite(
  { file, readTimeoutMs, statementTimeoutMs }: SqliteSettings,
  { isLimited, onError, log }: { isLimited(): boolean; onError(error: Error): void; log: Logger },
) {
  let identity: string | undefined;
  const start = (isReader: boolean, size: number, maxQueued: number) => {
    const limitMs = isReader ? readTimeoutMs : statementTimeoutMs;
    const timeoutMs = () => (isLimited() ? limitMs : undefined);
    return new SqliteThreads({
      ...{ file, isReader, size, maxQueued, timeoutMs, onError },
      identity: () => identity,
    });
  };
  const writer = start(false, 1, maxQueued);
  // The first statement opens the file, and creates it: the readers cannot.
  await writer.execute('select 1', []);
  // Threads that start from now on refuse another file at the path.
  identity = identityOf(file);
  const readers = start(true, 1, maxQueued);
  // A core is left for the thread that responds to requests.
  const listReaders = start(true, Math.min(4, Math.max(1, availableParallelism() - 1)), maxQueuedLists);

  const changes = openChangeCount(file);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(readers, writer), log });
  return {
    db,
    healthDb: db,
    listDb: new Kysely<Tables>({ dialect: sqliteDialect(listReaders, listReaders), log }),
    catalogueVersion: createCatalogueVersion(changes.read),
    engine: 'sqlite' as const,
    pools: () => ({ writer: writer.usage, readers: readers.usage, lists: listReaders.usage }),
    space: () => measureSpace(file),
    // SQLite goes on writing to a file that was removed, and the system removes it at the end of the process.
    async checkFile() {
      if (identityOf(file) === identity) return;
      throw new UnavailableError(`${file} was removed or replaced: what this process changes will be lost`);
    },
    /** The writer ends last: the last connection moves the log to the file. */
    async close() {
      changes.close();
      await Promise.all([readers, listReaders].map((threads) => threads.close()));
      await writer.close();
    },
  };
}

async function measureSpace(file: string): Promise<Space> {
  const [database, log, disk] = await Promise.all([
    stat(file),
    stat(`${file}-wal`).catch(() => ({ size: 0 })),
    statfs(dirname(file)),
  ]);
  return {
    databaseBytes: database.size,
    logBytes: log.size,
    // Blocks that are kept for root are not free for the store.
    diskFreeBytes: disk.bavail * disk.bsize,
    diskBytes: disk.blocks * disk.bsize,
  };
}

/** Opens a file for the long work of a command, without time limits. */
export function openFile(file: string) {
  const start = (isReader: boolean) =>
    new SqliteThreads({ file, isReader, size: 1, maxQueued, timeoutMs: () => undefined, onError: () => {} });
  const [readers, writer] = [start(true), start(false)];
  return {
    db: new Kysely<Tables>({ dialect: sqliteDialect(readers, writer) }),
    async close() {
      await readers.close();
      await writer.close();
    },
  };
}
