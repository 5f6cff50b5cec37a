/** Checkpoints beside the thread that writes: they take up to 20 ms, for which each of its commits would have to wait. */

import { type PoolOptions, SqlitePool } from './pool.ts';

/**
 * A batch of orders changes some eighty pages. With a checkpoint after 32 batches the p99 of orders was four times their p50, with one after
 * 8 three times: commits wait while the disk takes what a checkpoint has written.
 */
const writesPerCheckpoint = 8;
/** A log of 24 MB begins anew, before the writer's own checkpoint (file.ts) does that: it would have thousands of pages to move. */
const restartPages = 6_000;
/** The writer moves so many pages, and syncs them, in some three milliseconds. */
const fewPages = 200;
/** Each pass moves what was written during the one before. */
const maxPasses = 5;

/**
 * A passive checkpoint waits for no lock and holds up no statement: pages of the log that come meanwhile are left for the next one. So
 * while orders arrive the log never ends up empty, and only the writer can move its last pages, so that its next write begins the log
 * anew.
 * @param options of the writer.
 * @returns `noteWrite`, to be called after each write of the writer.
 */
export function openCheckpoints(
  options: Pick<PoolOptions, 'file' | 'identity' | 'timeoutMs' | 'idleMs' | 'onError'>,
): {
  noteWrite(writer: SqlitePool): void;
  close(): Promise<void>;
} {
  const thread = new SqlitePool({ ...options, isReader: false, size: 1, maxSentAhead: 0, maxQueued: 1 });
  let writes = 0;
  let isUnderWay = false;

  const moveLog = async (writer: SqlitePool) => {
    for (let pass = 1; pass <= maxPasses; pass += 1) {
      const { pages, left } = await checkpoint(thread);
      if (pages < restartPages) return;
      if (left <= fewPages) return void (await checkpoint(writer));
    }
  };
  return {
    noteWrite(writer) {
      writes += 1;
      if (writes < writesPerCheckpoint || isUnderWay) return;
      writes = 0;
      isUnderWay = true;
      moveLog(writer)
        // Such as a full disk: the writer's own checkpoint comes upon it as well, and its commits report it.
        .catch(() => {})
        .finally(() => {
          isUnderWay = false;
        });
    },
    close: () => thread.close(),
  };
}

/** @returns how many pages the log has, and how many of them are left in it alone. */
async function checkpoint(pool: SqlitePool): Promise<{ pages: number; left: number }> {
  const result = await pool.execute('pragma wal_checkpoint(passive)', []);
  const [_busy, pages, moved] = 'rows' in result ? (result.rows[0] ?? []) : [];
  return { pages: Number(pages), left: Number(pages) - Number(moved) };
}
