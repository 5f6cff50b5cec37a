/** Searches of orders, exports and imports go through thousands of rows on the thread that serves visitors: a few at a time, between requests. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many rows are read in a turn of the event loop. */
export const rowsPerTurn = 200;
/** So much of an upload, or of a file, is read in a turn. */
export const bytesPerTurn = 64 * 1024;

/** Lets the requests go first that have arrived. */
export const takeTurn = (): Promise<void> => nextTurn();

/** Reads rows in a turn of their own. */
export async function readInTurn<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  await takeTurn();
  return await read();
}

/** Yields the chunks of an upload, each in a turn of its own. */
export async function* inTurns(upload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of upload) {
    await takeTurn();
    yield chunk;
  }
}
