/** Checkpoints beside the thread that writes: they take up to 20 ms, for which each of its commits would have to wait. */

import { type PoolOptions, SqlitePool } from './pool.ts';

/** A batch of orders changes some eighty pages, most of them again and again. */
const writesPerCheckpoint = 32;

/**
 * A passive checkpoint waits for no lock and holds up no statement: frames of the log that come meanwhile are left for the next one.
 * @param options of the writer.
 * @returns `noteWrite`, to be called after each write.
 */
export function openCheckpoints(
  options: Pick<PoolOptions, 'file' | 'identity' | 'timeoutMs' | 'idleMs' | 'onError'>,
): {
  noteWrite(): void;
  close(): Promise<void>;
} {
  const thread = new SqlitePool({ ...options, isReader: false, size: 1, maxSentAhead: 0, maxQueued: 1 });
  let writes = 0;
  let isUnderWay = false;
  return {
    noteWrite() {
      writes += 1;
      if (writes < writesPerCheckpoint || isUnderWay) return;
      writes = 0;
      isUnderWay = true;
      thread
        .execute('pragma wal_checkpoint(passive)', [])
        // Such as a full disk: the writer's own checkpoint comes upon it as well, and its commits report it.
        .catch(() => {})
        .finally(() => {
          isUnderWay = false;
        });
    },
    close: () => thread.close(),
  };
}
