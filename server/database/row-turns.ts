/**
 * Searches of orders, exports and imports go through thousands of rows on the thread that serves visitors. They take a few rows at a
 * time, and in each turn of the event loop one of them goes on, however many are under way: a visitor waits for one slice.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many rows a slice has at most: about a millisecond. */
export const rowsPerTurn = 100;

let last: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop that has no other slice. */
export function takeTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
