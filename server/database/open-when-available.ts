/** Opens the database at the start of the store, and waits for one that is not there yet. */

import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type DatabaseSettings, type OpenOptions, openDatabase } from './open.ts';
import { openErrorMessage } from './open-error.ts';
import { canWaitingHelp } from './unavailable.ts';

const firstPauseMs = 100;
const maxPauseMs = 2_000;

export type WaitOptions = OpenOptions & {
  /** How long to try again, in milliseconds; 0 tries once. An attempt that has begun is not cut short. */
  startTimeoutMs: number;
  /** Called at the first failure and when its cause changes, with a sentence about the cause. */
  onWaiting(cause: string): void;
  /** Called when the database could be opened after a wait of this many milliseconds. */
  onAvailable(waitedMs: number): void;
};

/**
 * Opens the database as {@link openDatabase} does. After a failure that waiting can end it tries again, with pauses that
 * grow from a tenth of a second to two seconds.
 * @throws what the last attempt threw. An error that only the operator can end is thrown at once.
 */
export async function openWhenAvailable(
  settings: DatabaseSettings,
  { startTimeoutMs, onWaiting, onAvailable, ...options }: WaitOptions,
): Promise<Database> {
  const startedAt = performance.now();
  const waitedMs = () => performance.now() - startedAt;
  let lastCause: string | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      const database = await openDatabase(settings, options);
      if (lastCause !== undefined) onAvailable(waitedMs());
      return database;
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
