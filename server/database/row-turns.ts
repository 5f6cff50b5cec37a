/**
 * Searches of orders, exports and imports go through thousands of rows on the thread that serves visitors. They take a few rows at a
 * time. One such slice is under way, however many of them are, and visitors go first: a slice begins when no request of theirs is under
 * way. Only one every few milliseconds begins anyway, so that the owner's work goes on when visitors never stop.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many rows a slice has at most: less than a millisecond. */
export const rowsPerTurn = 100;

/** How long a slice waits for visitors, and for the slice before it. */
const maxWaitMs = 10;
/** A request that has taken longer waits for something else than this thread, such as a slow upload, the identity provider or a lock. */
const maxUnderWayMs = 100;
/** A browser that has a response often sends its next request at once. */
const nextRequestMs = 1;

/** The requests of visitors, and the reads of slices, by when they began. */
const underWay = new Set<{ beganAt: number }>();
let visitEndedAt = Number.NEGATIVE_INFINITY;
let wake = () => {};
let last: Promise<void> = Promise.resolve();

/** Call it when a visitor's request begins. @returns a function to call when it has ended. */
export function beginVisit(): () => void {
  const end = begin();
  return () => {
    visitEndedAt = performance.now();
    end();
  };
}

function begin(): () => void {
  const one = { beganAt: performance.now() };
  underWay.add(one);
  return () => {
    underWay.delete(one);
    if (underWay.size === 0) wake();
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
  const end = begin();
  try {
    return await read();
  } finally {
    end();
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
}

/** @returns how long a slice has to wait at most, if nothing ends or begins. */
function busyMs(): number {
  const now = performance.now();
  let wait = visitEndedAt + nextRequestMs - now;
  for (const one of underWay) {
    const left = one.beganAt + maxUnderWayMs - now;
    if (left > 0) wait = Math.max(wait, left);
    else underWay.delete(one);
  }
  return wait;
}
