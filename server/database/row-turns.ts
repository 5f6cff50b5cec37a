/** Exports go through thousands of rows on the thread that serves visitors: a few at a time, between requests. */

import { setImmediate as nextTurn } from 'node:timers/promises';

export const rowsPerTurn = 200;

export async function readInTurn<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  await nextTurn();
  return await read();
}
