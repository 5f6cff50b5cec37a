/** Deleting many rows. One statement for all of them would hold up every other write, and exceed its time limit. */

import type { DeleteResult } from 'kysely';

/** How many rows a statement of a sweep reads or deletes at most: that takes some milliseconds. */
export const sweepBatchSize = 1_000;

/** Repeats a statement that deletes up to {@link sweepBatchSize} rows, until there are no more. */
export async function deleteInBatches(statement: {
  executeTakeFirstOrThrow(): Promise<DeleteResult>;
}): Promise<void> {
  let deleted: bigint;
  do {
    deleted = (await statement.executeTakeFirstOrThrow()).numDeletedRows;
  } while (deleted >= sweepBatchSize);
}
