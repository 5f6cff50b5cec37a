/** Opens the store's database on SQLite. */

import { stat, statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import { createCatalogueVersion } from '../catalogue-version.ts';
import type { Space } from '../engine.ts';
import { openStatementLog } from '../statement-log.ts';
import type { Tables } from '../tables.ts';
import { openChangeCounts } from './changes.ts';
import { openCheckpoints } from './checkpoints.ts';
import { SqliteThreadsDialect } from './dialect.ts';
import { identityOf, rememberFile } from './file.ts';
import { SqlitePool } from './pool.ts';

/** How a SQLite file is opened. The limits are those of one statement. */
export type SqliteSettings = {
  engine: 'sqlite';
  /** Its path. */
  file: string;
  /** How long a read may take, and any other statement. */
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

/** A longer queue means that the disk has stopped: the clients have given up by then. */
const maxQueued = 1_000;
/** Queue of lists and searches: each of them may take some milliseconds. */
const maxQueuedLists = 64;

/** A shop at night needs no threads to read and to checkpoint: one starts again in some 30 ms. */
const idleMs = 30_000;

/**
 * Opens the threads of a SQLite file, of which each is started when it is needed first: one that writes, one for single
 * reads, and one or more for lists.
 * @param isLimited whether statements have a time limit, at the time of the call.
 * @param hasOneThread true for a command, which does one thing after the other: each thread takes some 30 ms to start.
 * @param onError called with the error of a thread that has ended by itself.
 */
function openPools(
  { file, readTimeoutMs, statementTimeoutMs }: SqliteSettings,
  {
    isLimited,
    hasOneThread,
    onError,
  }: { isLimited(): boolean; hasOneThread: boolean; onError(error: Error): void },
) {
  const limit = (ms: number) => () => (isLimited() ? ms : Number.POSITIVE_INFINITY);
  let opened: string | undefined;
  const identity = () => opened;
  const reading = { file, identity, isReader: true, timeoutMs: limit(readTimeoutMs), idleMs, onError };
  const checkpoints = openCheckpoints({
    file,
    identity,
    timeoutMs: limit(statementTimeoutMs),
    idleMs,
    onError,
  });
  const writer: SqlitePool = new SqlitePool({
    file,
    identity,
    isReader: false,
    size: 1,
    // The next batch of orders is there when the disk has the one before.
    maxSentAhead: 1,
    maxQueued,
    timeoutMs: limit(statementTimeoutMs),
    onResult: () => checkpoints.noteWrite(writer),
    onError,
  });
  const readers = hasOneThread ? writer : new SqlitePool({ ...reading, size: 1, maxSentAhead: 8, maxQueued });
  const listReaders = hasOneThread
    ? writer
    : new SqlitePool({
        ...reading,
        // A core is left for the thread that responds to requests.
        size: Math.min(4, Math.max(1, availableParallelism() - 1)),
        // A list that waits for a long one in the same thread could not go to a free one.
        maxSentAhead: 0,
        maxQueued: maxQueuedLists,
      });
  return {
    writer,
    readers,
    listReaders,
    /** Threads that start from now on refuse another file at the path than the one that is there now. */
    keepToFile() {
      opened = identityOf(file);
    },
    /**
     * Ends the threads after the statements that they execute, the writer last: the last connection checkpoints the
     * file.
     */
    async close() {
      await Promise.all([readers.close(), listReaders.close(), checkpoints.close()]);
      await writer.close();
    },
  };
}

export async function openSqlite(
  settings: SqliteSettings,
  options: { isLimited(): boolean; hasOneThread: boolean; onError(error: Error): void },
) {
  const { writer, readers, listReaders, keepToFile, close } = openPools(settings, options);
  try {
    // The first statement opens the file, and creates it: the readers cannot.
    await writer.execute('', []);
  } catch (error) {
    await close();
    throw error;
  }
  keepToFile();
  const checkFile = await rememberFile(settings.file);
  const changes = openChangeCounts(settings.file);
  const { log, observe } = openStatementLog();
  const listDb = new Kysely<Tables>({
    dialect: new SqliteThreadsDialect({ readers: listReaders, writer: listReaders }),
    log,
  });
  const db = new Kysely<Tables>({ dialect: new SqliteThreadsDialect({ readers, writer }), log });
  return {
    db,
    listDb,
    healthDb: db,
    catalogueVersion: createCatalogueVersion(changes.countOf('catalogue_changes')),
    engine: 'sqlite' as const,
    pools: () => ({ writer: writer.usage, readers: readers.usage, lists: listReaders.usage }),
    observeStatements: observe,
    space: () => measureSpace(settings.file),
    checkFile,
    async close() {
      changes.close();
      await close();
    },
  };
}

/** @throws the system's error, for example because the file was removed. */
async function measureSpace(file: string): Promise<Space> {
  const [database, log, disk] = await Promise.all([
    stat(file),
    stat(`${file}-wal`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return { size: 0 };
    }),
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

/** Opens a SQLite file that may be no store's, and changes nothing, not even its header. */
export const openFileForReads = (file: string) => openFile(file, true);

/** Opens a file without time limits. It is created if it is missing. */
export function openFile(file: string, isForReads = false) {
  const { writer, readers, close } = openPools(
    { engine: 'sqlite', file, readTimeoutMs: 0, statementTimeoutMs: 0 },
    { isLimited: () => false, hasOneThread: false, onError: () => {} },
  );
  const dialect = new SqliteThreadsDialect({ readers, writer: isForReads ? readers : writer });
  return { db: new Kysely<Tables>({ dialect }), close };
}
