/**
 * Searches of orders, exports and imports go through thousands of rows on the thread that serves visitors. They take a few rows at a
 * time. One such slice is under way, however many of them are, and visitors go first: a slice begins when no request of theirs is under
 * way. Only one every few milliseconds begins anyway, so that the owner's work goes on when visitors never stop.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnderWay } from './under-way.ts';

/** How many rows a slice has at most: less than a millisecond. */
export const rowsPerTurn = 50;
/** So much of an upload, or of a file, is read in a turn. */
export const bytesPerTurn = 16 * 1024;

/** How long a slice waits for visitors, and for the slice before it. */
const maxWaitMs = 10;
/** A request that has taken longer waits for something else than this thread, such as a slow upload, the identity provider or a lock. */
const maxUnderWayMs = 100;
/**
 * The thread rests for so long after a request of a visitor: a browser that has a response often sends its next one at once. While
 * there are visitors it also rests after each slice, after a read for as long as that took: otherwise slices would keep the thread, and a
 * processor, from them all the time.
 */
const restMs = 1;
/** So long after a request there are visitors. */
const visitorsStayMs = 200;

/** The requests of visitors, and the reads of slices. */
const underWay = new UnderWay();
let visitedAt = Number.NEGATIVE_INFINITY;
let restsUntil = Number.NEGATIVE_INFINITY;
let wake = () => {};
let last: Promise<void> = Promise.resolve();

/** Call it when a visitor's request begins. @returns a function to call when it has ended. */
export function beginVisit(): () => void {
  const end = begin();
  return () => {
    noteVisit();
    restsUntil = visitedAt + restMs;
    end();
  };
}

/** Call it for a visitor's request that has its response already. */
export function noteVisit(): void {
  visitedAt = performance.now();
}

function restAfterSlice(sliceMs = 0): void {
  const now = performance.now();
  if (now < visitedAt + visitorsStayMs) restsUntil = now + Math.max(restMs, sliceMs);
}

function begin(): () => void {
  const begun = underWay.begin(performance.now());
  return () => {
    underWay.end(begun);
    if (underWay.count === 0) wake();
  };
}

/** Waits for the turn of the event loop in which a slice may begin. No other one begins in it. */
export function takeTurn(): Promise<void> {
  last = last.then(waitForTurn);
  return last;
}

/** Reads the rows of a slice when it may begin. Until they are there, the next slice waits. */
export async function readInTurn<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  await takeTurn();
  const beganAt = performance.now();
  const end = begin();
  try {
    return await read();
  } finally {
    restAfterSlice(performance.now() - beganAt);
    end();
  }
}

/**
 * Yields the chunks of an upload, each after a turn for every {@link bytesPerTurn} of it. While there are visitors a fast client is slowed
 * down to some ten megabytes a second: the memory of chunks that were read is collected in pauses, which are then rare.
 */
export async function* inTurns(upload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of upload) {
    for (let byte = 0; byte < chunk.length; byte += bytesPerTurn) await takeTurn();
    yield chunk;
  }
}

async function waitForTurn(): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  await nextTurn();
  for (let wait = busyMs(); wait > 0 && performance.now() < deadline; wait = busyMs()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, Math.min(wait, deadline - performance.now()));
    await promise;
    clearTimeout(timer);
    await nextTurn();
  }
  restAfterSlice();
}

/** @returns how long a slice has to wait at most, if nothing ends or begins. */
function busyMs(): number {
  const now = performance.now();
  underWay.forgetUntil(now - maxUnderWayMs);
  return Math.max(restsUntil, underWay.newest + maxUnderWayMs) - now;
}
