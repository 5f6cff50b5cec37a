import { stat, statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Kysely, type Logger } from 'kysely';
import { createCatalogueVersion } from '../catalogue-version.ts';
import type { Space } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { UnavailableError } from '../unavailable.ts';
import { sqliteDialect } from './dialect.ts';
import { identityOf } from './file.ts';
import { SqliteThreads } from './threads.ts';

export type SqliteSettings = {
  engine: 'sqlite';
  file: string;
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

/** A longer queue means that the disk has stopped: by then the clients have given up. */
const maxQueued = 1_000;
const maxQueuedLists = 64;

export async function openSqlite(
  { file, readTimeoutMs, statementTimeoutMs }: SqliteSettings,
  { onError, log }: { onError(error: Error): void; log: Logger },
) {
  // The threads refuse to open any other file at the path.
  const identity = identityOf(file);
  const start = (isReader: boolean, size: number, maxQueued: number) => {
    const timeoutMs = isReader ? readTimeoutMs : statementTimeoutMs;
    return new SqliteThreads({ file, identity, isReader, size, maxQueued, timeoutMs, onError });
  };
  const writer = start(false, 1, maxQueued);
  // A store that runs holds a lock, which a restore sees.
  await writer.execute('select 1').catch(async (error: unknown) => {
    await writer.close();
    throw error;
  });
  const readers = start(true, 1, maxQueued);
  // One core is left for the thread that responds to requests.
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
    // SQLite keeps writing to a file that was removed, and the system deletes that file at the end of the process.
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

/** Reads the count that triggers keep of the catalogue's changes by any process. This thread reads it, because a cache needs it to respond. */
function openChangeCount(file: string): { read(): number; close(): void } {
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  let counter: StatementSync | undefined;
  let changes: number | undefined;
  return {
    read() {
      // The version is read once per turn of the event loop: requests of the same turn arrived at the same time.
      if (changes !== undefined) return changes;
      try {
        // The statement is prepared at the first use: at the start another process may have the lock.
        counter ??= sqlite.prepare('select count from catalogue_changes');
        changes = Number(counter.get()?.['count']);
      } catch {
        // If this read fails, the query that follows reports why.
        return Number.NaN;
      }
      setImmediate(() => {
        changes = undefined;
      });
      return changes;
    },
    close() {
      if (sqlite.isOpen) sqlite.close();
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

/** The longest that a timer of Node can have: 24 days. */
const noLimitMs = 2 ** 31 - 1;

export function openFile(file: string) {
  const thread = new SqliteThreads({
    ...{ file, isReader: false, size: 1, maxQueued, timeoutMs: noLimitMs, onError() {} },
  });
  return new Kysely<Tables>({ dialect: sqliteDialect(thread, thread) });
}
