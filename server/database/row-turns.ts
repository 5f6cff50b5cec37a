/** Lets an export process a few rows at a time, between requests: exports run on the thread that serves visitors. */

import { setImmediate as nextTurn } from 'node:timers/promises';

export const rowsPerTurn = 200;

export async function readInTurn<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  await nextTurn();
  return await read();
}
