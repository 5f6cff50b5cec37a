/** Deleting many rows. One statement for all of them would hold up every other write, and exceed its time limit. */

import type { DeleteResult } from 'kysely';

/** How many rows a statement of a sweep reads or deletes at most: that takes some milliseconds. */
export const sweepBatchSize = 1_000;

/** Repeats a statement that deletes up to {@link sweepBatchSize} rows, until there are no more. @returns how many it deleted. */
export async function deleteInBatches(statement: {
  executeTakeFirstOrThrow(): Promise<DeleteResult>;
}): Promise<number> {
  for (let all = 0; ; ) {
    const deleted = Number((await statement.executeTakeFirstOrThrow()).numDeletedRows);
    all += deleted;
    if (deleted < sweepBatchSize) return all;
  }
}
