/**
 * Schedules: the orders in which answers, failures and timers can come. A test plays many, each made by its seed, with fast-check's
 * scheduler. `npm run prove -- --only schedules` plays more, and `-- --seed N` the one of a seed again.
 */

import fc from 'fast-check';
import { expect, inject, test, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    schedules: { firstSeed: number; count: number };
  }
  interface TaskMeta {
    /** How many schedules are played, and how many faults they have found so far. */
    schedules?: { count: number; found: number };
  }
}

export type Schedule = {
  /** Waits until the schedule reaches it. */
  turn(label: string): Promise<void>;
  /** Runs an action when the schedule reaches it; its failure fails the test. */
  happens(label: string, action: () => unknown): void;
  /** A failure of the test, even if the caller would take it for an answer. */
  check(assertion: () => void): void;
  /** @returns one of these values, by the seed. */
  pick<Value>(first: Value, ...others: Value[]): Value;
  /** Continues until nothing is left, or the end is reached. @throws what an action has thrown. */
  play(isOver?: () => boolean): Promise<void>;
  /** Forgets all timers, as when a page is closed. */
  clearTimers(): void;
};

type Step = () => Promise<void>;
type Options = {
  /** Does a step, and everything that follows from it at once. */
  act?: (step: Step) => Promise<void>;
  /** True to play a fifth of the schedules. */
  isSlow?: boolean;
  /** The faults that this test has found, all of them fixed. */
  foundBySeed?: readonly number[];
};

const maxSteps = 5_000;
/** Node's function, which the types of a browser lack. */
const node = globalThis as unknown as {
  setImmediate(run: () => void): unknown;
  clearImmediate(id: never): void;
};
const { setImmediate: soon } = node;
/** Waits until everything that needs no answer and no timer has happened: a page draws before the next event comes. */
async function settled(): Promise<void> {
  for (let timers = -1; timers !== vi.getTimerCount(); ) {
    await new Promise<void>(soon);
    timers = vi.getTimerCount();
    vi.advanceTimersByTime(0);
  }
  await new Promise<void>(soon);
}

/** At its end, each test repeats this many seeds: a seed that then goes another way could not show again what it has found. */
const playedAgain = 5;

/** Declares a test that plays schedules. The schedule controls timers, clocks and random numbers. */
export function onEverySchedule(
  title: string,
  property: (schedule: Schedule) => Promise<void>,
  { act = (step) => step(), isSlow = false, foundBySeed = [] }: Options = {},
): void {
  const { firstSeed, count: wanted } = inject('schedules');
  const count = isSlow ? Math.ceil(wanted / 5) : wanted;
  const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
  /** @returns the order of all events, and what was picked. @throws with the seed, if the claim does not hold. */
  const playSeed = async (seed: number): Promise<string> => {
    let played = '';
    const scheduler = fc.scheduler({ act: (step) => act(() => step().then(settled)) });
    const isKept = fc.asyncProperty(scheduler, fc.gen(), async (order, draw) => {
      await playOne(seed, order, draw, property, act);
      played = fc.stringify([order, draw]);
    });
    const once = { seed, numRuns: 1, unbiased: true, endOnFailure: true };
    const { errorInstance, counterexample } = await fc.check(isKept, once);
    if (!counterexample) return played;
    const reason = errorInstance instanceof Error ? errorInstance.stack : errorInstance;
    throw new Error(`seed ${seed}: ${reason}\n\n${counterexample[0]}\nnpm run prove -- --seed ${seed}`);
  };
  test(title, { timeout: 3_600_000 }, async ({ task }) => {
    task.meta.schedules = { count, found: foundBySeed.length };
    const played = new Map<number, string>();
    for (const seed of [...seeds, ...foundBySeed]) played.set(seed, await playSeed(seed));
    for (const seed of seeds.slice(0, playedAgain)) {
      expect(await playSeed(seed), `seed ${seed}, played once more`).toBe(played.get(seed));
    }
  });
}

async function playOne(
  seed: number,
  order: fc.Scheduler,
  draw: fc.GeneratorValue,
  property: (schedule: Schedule) => Promise<void>,
  act: (step: Step) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0];
  };
  const turn = async (label: string) => void (await order.schedule(Promise.resolve(), label));
  const happens = (label: string, action: () => unknown) =>
    void turn(label)
      .then(action)
      .catch((error: unknown) => failures.push(error));
  const check = (assertion: () => void) => {
    try {
      assertion();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  let isTimerAwaited = false;
  /** Moves the clock to the earliest timer, and runs that timer, when the schedule chooses it. */
  const awaitTimer = () => {
    if (isTimerAwaited || vi.getTimerCount() === 0) return;
    isTimerAwaited = true;
    happens('the next timer', () => {
      isTimerAwaited = false;
      vi.advanceTimersToNextTimer();
    });
  };
  const play = async (isOver = () => false) => {
    await act(settled);
    for (let step = 0; !isOver(); step += 1) {
      awaitTimer();
      if (order.count() === 0) return;
      if (step === maxSteps) throw new Error('it goes on for ever');
      await order.waitOne();
      throwFailure();
    }
  };
  const pick: Schedule['pick'] = (...values) => draw(fc.constantFrom, ...values);
  takeOverTimeAndChance(seed);
  try {
    await property({ turn, happens, check, pick, play, clearTimers: () => vi.clearAllTimers() });
    throwFailure();
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
}

/** The schedule moves the time, and the seed decides all random numbers. */
function takeOverTimeAndChance(seed: number): void {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
  vi.useFakeTimers({ toFake: [...timers, 'Date', 'performance'], now: Date.UTC(2026, 0, 5, 8) });
  // Other events may come before an action that is done soon.
  vi.spyOn(node, 'setImmediate').mockImplementation((run) => setTimeout(run, 1));
  vi.spyOn(node, 'clearImmediate').mockImplementation((timer) => clearTimeout(timer));
  let state = seed;
  // Park and Miller's generator: it is never 0, and fits into a number.
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  vi.spyOn(Math, 'random').mockImplementation(() => next() / 2_147_483_647);
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(
    (bytes) => (bytes as Uint8Array).map(() => next() % 256) as never,
  );
  // The schedule decides which answer is lost; a time limit would decide differently on a busy machine.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
}
