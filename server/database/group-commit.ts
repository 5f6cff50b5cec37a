/** Calls that come while a batch runs form the next batch, which is one statement and one commit with its fsync (docs/decisions/0066). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf, isConflict, isUnavailable } from './unavailable.ts';

const maxItems = 100;

type Call<Item, Result> = {
  item: Item;
  resolve(result: Result | undefined): void;
  reject(error: unknown): void;
};

/**
 * @param run does the work of some items in one statement or transaction, and returns a result for each, in their order.
 * @returns a function that does it for one item. When the database rejects a batch, each item is sent again by itself, so that one does
 * not fail the others. When the connection is lost, nothing is sent again: the batch may have been committed.
 */
export function groupCommit<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
): (item: Item) => Promise<Result | undefined> {
  const waiting: Call<Item, Result>[] = [];
  /** The calls of a rejected batch: each is sent by itself, before the calls that wait. */
  const alone: Call<Item, Result>[] = [];
  let isRunning = false;

  const runWaiting = async (): Promise<void> => {
    isRunning = true;
    // The calls of this turn of the event loop share a batch.
    await nextTurn();
    while (alone.length + waiting.length > 0) {
      const batch = alone.length > 0 ? alone.splice(0, 1) : waiting.splice(0, maxItems);
      try {
        const results = await run(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
      } catch (error) {
        if (batch.length > 1 && isRejection(error)) {
          alone.push(...batch);
          continue;
        }
        // While the database is away, waiting calls fail at once: otherwise they would fail one batch after the other.
        if (isUnavailable(error) && !isConflict(error)) batch.push(...alone.splice(0), ...waiting.splice(0));
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runWaiting();
    });
}

/** The database itself rejected a statement, so no part of it was carried out. */
function isRejection(error: unknown): boolean {
  if (isConflict(error)) return true;
  if (!(error instanceof Error) || isUnavailable(error)) return false;
  const code = codeOf(error);
  return code === 'ERR_SQLITE_ERROR' || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
}
