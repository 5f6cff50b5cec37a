/** Searches of orders and exports go through thousands of rows on the thread that serves visitors: a few at a time, between requests. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many rows are read in a turn of the event loop. */
export const rowsPerTurn = 200;

/** Reads rows in a turn of their own. */
export async function readInTurn<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  await nextTurn();
  return await read();
}
