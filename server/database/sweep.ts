import type { DeleteResult } from 'kysely';

/** Rows of one statement: more would hold up every other write. */
export const sweepBatchSize = 1_000;

export async function deleteInBatches(statement: {
  executeTakeFirstOrThrow(): Promise<DeleteResult>;
}): Promise<number> {
  for (let all = 0; ; ) {
    const deleted = Number((await statement.executeTakeFirstOrThrow()).numDeletedRows);
    all += deleted;
    if (deleted < sweepBatchSize) return all;
  }
}
