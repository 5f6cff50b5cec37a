/** Waits at the start of the store for a database that is not there yet. */

import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSettings } from './open.ts';
import { openErrorMessage } from './open-error.ts';
import { canWaitingHelp } from './unavailable.ts';

const firstPauseMs = 100;
const maxPauseMs = 2_000;

type WaitOptions = {
  /** How long to try again, in milliseconds; 0 tries once. An attempt that has begun is not cut short. */
  startTimeoutMs: number;
  /** Called at the first failure and when its cause changes, with a sentence about the cause. */
  onWaiting(cause: string): void;
  /** Called when the database is available after a wait of this many milliseconds. */
  onAvailable(waitedMs: number): void;
};

/**
 * Calls what needs the database. After a failure that waiting can end it calls it again, with pauses that grow from a
 * tenth of a second to two seconds.
 * @throws what the last attempt threw. An error that only the operator can end is thrown at once.
 */
export async function whenAvailable<Result>(
  attempt: () => Promise<Result>,
  settings: DatabaseSettings,
  { startTimeoutMs, onWaiting, onAvailable }: WaitOptions,
): Promise<Result> {
  const startedAt = performance.now();
  const waitedMs = () => performance.now() - startedAt;
  let lastCause: string | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      const result = await attempt();
      if (lastCause !== undefined) onAvailable(waitedMs());
      return result;
    } catch (error) {
      const remainingMs = startTimeoutMs - waitedMs();
      if (remainingMs <= 0 || !canWaitingHelp(error)) throw error;
      const cause = openErrorMessage(error, settings) ?? String(error);
      if (cause !== lastCause) onWaiting(cause);
      lastCause = cause;
      await pause(Math.min(pauseMs, remainingMs));
    }
  }
}
