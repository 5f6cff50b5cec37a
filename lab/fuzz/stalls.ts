/** Watches for times in which this process or the store had no processor, so that they are not taken for a slow store. */

import { readFileSync } from 'node:fs';

export type StallWatch = {
  /** How much of a time, between two values of `performance.now()`, was lost so, in milliseconds. */
  lostMs(from: number, to: number): number;
  /** The longest time so far in which this process stood still. */
  longestMs(): number;
  stop(): void;
};

const intervalMs = 10;
/** A timer that is this much late is a stall. */
const toleranceMs = 40;

/** @param storePid the process whose waiting for a processor counts as lost, too; on Linux only. */
export function watchStalls(storePid: number): StallWatch {
  const ticks = [{ at: performance.now(), waitedMs: waitedMs(storePid) }];
  const timer = setInterval(() => {
    ticks.push({ at: performance.now(), waitedMs: waitedMs(storePid) });
  }, intervalMs);
  const gaps = () =>
    ticks.flatMap(({ at: from }, index) => {
      const to = ticks[index + 1]?.at ?? from;
      return to - from > intervalMs + toleranceMs ? [{ from, to }] : [];
    });
  return {
    lostMs(from, to) {
      const inside = ticks.filter(({ at }) => at >= from - intervalMs && at <= to + intervalMs);
      const waited = (inside.at(-1)?.waitedMs ?? 0) - (inside[0]?.waitedMs ?? 0);
      const overlaps = gaps().map((gap) => Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from)));
      return waited + overlaps.reduce((sum, overlap) => sum + overlap, 0);
    },
    longestMs: () => Math.max(0, ...gaps().map(({ from, to }) => to - from)),
    stop: () => clearInterval(timer),
  };
}

/** @returns how long the main thread of a process was ready to run and did not (Linux, sched-stats). */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
