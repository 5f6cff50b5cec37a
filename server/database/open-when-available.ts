import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSettings } from './open.ts';
import { openErrorMessage } from './open-error.ts';
import { canWaitingHelp } from './unavailable.ts';

const firstPauseMs = 100;
const maxPauseMs = 2_000;

type WaitOptions = {
  /** 0 tries once. An attempt that has begun is not cut short. */
  startTimeoutMs: number;
  /** Called at the first failure and when its cause changes, with a sentence about the cause. */
  onWaiting(cause: string): void;
  onAvailable(waitedMs: number): void;
};

/** Tries again after a failure that waiting can end. @throws what the last attempt threw. */
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
