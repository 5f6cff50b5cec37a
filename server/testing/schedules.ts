/**
 * Schedules: the orders in which answers, failures and timers can come. A test plays many, each made by its seed, with fast-check's
 * scheduler. `npm run prove -- --only schedules` plays more, and `-- --seed N` the one of a seed again.
 */

import fc from 'fast-check';
import { expect, inject, test } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    schedules: { firstSeed: number; count: number };
  }
  interface TaskMeta {
    /** How many are played, and how many faults they have found until now. */
    schedules?: { count: number; found: number };
  }
}

export type Schedule = {
  /** Waits until the schedule comes to it. */
  turn(label: string): Promise<void>;
  /** Does something when the schedule comes to it; a failure is that of the test. */
  happens(label: string, action: () => unknown): void;
  /** A failure is that of the test, also where the caller would take it for an answer. */
  check(assertion: () => void): void;
  /** @returns one of these, by the seed. */
  pick<Value>(first: Value, ...others: Value[]): Value;
  /** Goes on until nothing is left, or it is over. @throws what an action has thrown. */
  play(isOver?: () => boolean): Promise<void>;
  /** Forgets all timers, as a page that is left. */
  clearTimers(): void;
};

type Step = () => Promise<void>;
type Options = {
  /** Does a step, and what follows from it at once. */
  act?: (step: Step) => Promise<void>;
  /** Plays a fifth of the schedules. */
  isSlow?: boolean;
  /** Each has found a fault, which is mended. */
  foundBySeed?: readonly number[];
};

const maxSteps = 5_000;
const { setImmediate: soon } = globalThis as unknown as { setImmediate(run: () => void): void };
/** All that follows without a timer or an answer has happened then. */
const settled = (): Promise<void> => new Promise(soon);

/** So many seeds of each test are played once more at its end: a seed that goes another way then would not show again what it has found. */
const playedAgain = 5;

/** A test that plays schedules. Meanwhile timers, clocks and chance are the schedule's. */
export function onEverySchedule(
  title: string,
  property: (schedule: Schedule) => Promise<void>,
  { act = (step) => step(), isSlow = false, foundBySeed = [] }: Options = {},
): void {
  const { firstSeed, count: wanted } = inject('schedules');
  const count = isSlow ? Math.ceil(wanted / 5) : wanted;
  const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
  /** @returns the order in which all came, and what was picked. @throws with the seed, if the claim does not hold. */
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
  const time = scheduledTime(happens);
  const endChance = scheduledChance(seed);
  const play = async (isOver = () => false) => {
    await act(settled);
    for (let step = 0; order.count() > 0 && !isOver(); step += 1) {
      if (step === maxSteps) throw new Error('it goes on for ever');
      await order.waitOne();
      throwFailure();
    }
  };
  const pick: Schedule['pick'] = (...values) => draw(fc.constantFrom, ...values);
  try {
    await property({ turn, happens, check, pick, play, clearTimers: time.clear });
    throwFailure();
  } finally {
    endChance();
    time.restore();
  }
}

type Timer = { at: number; everyMs: number | undefined; run: () => void };

/** Puts the clock forward to the earliest timer, and runs it, whenever the schedule comes to one. */
function scheduledTime(happens: Schedule['happens']) {
  const timers = new Map<number, Timer>();
  let now = Date.UTC(2026, 0, 5, 8);
  let lastId = 0;
  let isAwaited = false;
  const run = (id: number) => {
    const timer = timers.get(id);
    if (!timer) return;
    now = Math.max(now, timer.at);
    if (timer.everyMs === undefined) timers.delete(id);
    else timer.at = now + timer.everyMs;
    timer.run();
  };
  const awaitNext = () => {
    if (isAwaited || timers.size === 0) return;
    isAwaited = true;
    happens('the next timer', () => {
      isAwaited = false;
      const [first] = [...timers].sort(([, one], [, other]) => one.at - other.at);
      if (first) run(first[0]);
      awaitNext();
    });
  };
  const set = (id: number, timer: Timer) => {
    timers.set(id, timer);
    // A page that waits no time draws what it has before the next event comes.
    if (timer.at === now) queueMicrotask(() => run(id));
    else awaitNext();
  };
  const start =
    (isRepeated: boolean) =>
    (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      lastId += 1;
      const id = lastId;
      const everyMs = isRepeated ? ms : undefined;
      set(id, { at: now + ms, everyMs, run: () => callback(...args) });
      const handle = { id, unref: () => handle, ref: () => handle };
      return handle;
    };
  const stop = (handle: { id: number } | undefined) => void timers.delete(handle?.id ?? 0);
  const startSoon = (run: () => void) => start(false)(run, 1);
  const restore = replaceAll(
    [globalThis, { setTimeout: start(false), setInterval: start(true), setImmediate: startSoon }],
    [globalThis, { clearTimeout: stop, clearInterval: stop, clearImmediate: stop }],
    [Date, { now: () => now }],
    [performance, { now: () => now }],
  );
  return { clear: () => timers.clear(), restore };
}

/** Draws what the code leaves to chance by the seed. @returns a function that ends it. */
function scheduledChance(seed: number): () => void {
  let state = seed;
  // Park and Miller's generator: it never is 0, and fits in a number.
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  return replaceAll(
    [Math, { random: () => next() / 2_147_483_647 }],
    [crypto, { getRandomValues: (bytes: Uint8Array) => bytes.map(() => next() % 256) }],
    // Which answer is lost is the schedule's choice; a limit in real time would choose on a busy machine.
    [AbortSignal, { timeout: () => new AbortController().signal }],
  );
}

/** @returns a function that puts the earlier values back. */
function replaceAll(...replaced: readonly [target: object, values: Record<string, unknown>][]): () => void {
  const earlier = replaced.map(([target, values]) => {
    const names = Object.keys(values);
    return [target, Object.fromEntries(names.map((name) => [name, Reflect.get(target, name)]))] as const;
  });
  for (const [target, values] of replaced) Object.assign(target, values);
  return () => {
    for (const [target, values] of earlier) Object.assign(target, values);
  };
}
