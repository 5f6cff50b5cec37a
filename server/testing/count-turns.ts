import { onTestFinished, vi } from 'vitest';

/** Counts what is done in each turn of the event loop. */
export function countTurns() {
  const turns = [0];
  let counting: NodeJS.Immediate;
  const begin = () => {
    turns.push(0);
    counting = setImmediate(begin);
  };
  counting = setImmediate(begin);
  return {
    /** Adds to what the current turn has. */
    add(count: number): void {
      turns.push((turns.pop() ?? 0) + count);
    },
    /** @returns how many turns there were, and the sum and the largest of their counts. */
    stop(): { turns: number; sum: number; most: number } {
      clearImmediate(counting);
      return {
        turns: turns.length,
        sum: turns.reduce((sum, count) => sum + count, 0),
        most: turns.reduce((most, count) => Math.max(most, count), 0),
      };
    },
  };
}

/** Stops the clock until the test ends, but for steps that the test makes: however slow the machine is, no wait comes to its end. */
export function stopClock(): void {
  const now = performance.now();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // It begins at zero: what the store did before would lie in the future.
  vi.advanceTimersByTime(Math.ceil(now));
  onTestFinished(() => void vi.useRealTimers());
}
