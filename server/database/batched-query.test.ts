import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchedWork } from './batched-query.ts';
import type { Db } from './tables.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** @returns the sizes of the batches so far, a function that makes calls, and one that lets the running batch end after this time. */
function openWork() {
  const sizes: number[] = [];
  let end = () => {};
  const work = batchedWork(async (_db, items: readonly Record<string, number>[]) => {
    sizes.push(items.length);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return items;
  });
  // The work has no database: it is only what calls are told apart by.
  const db = {} as Db;
  return {
    sizes,
    async call(count: number) {
      for (let number = 0; number < count; number += 1) void work(db, { number });
      await passTurns();
    },
    async endAfter(ms: number) {
      vi.advanceTimersByTime(ms);
      end();
      await passTurns();
    },
  };
}

async function passTurns() {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}

test('after a batch that took long the next one waits for the callers of both', async () => {
  const { sizes, call, endAfter } = openWork();
  await call(16);
  await call(16);

  await endAfter(12);
  await call(15);
  expect(sizes).toEqual([16]);
  await call(1);
  expect(sizes).toEqual([16, 32]);
});

test('but for no longer than a quarter of the time that the last one took', async () => {
  const { sizes, call, endAfter } = openWork();
  await call(16);
  await call(16);

  await endAfter(12);
  vi.advanceTimersByTime(2);
  await passTurns();
  expect(sizes).toEqual([16]);
  vi.advanceTimersByTime(1);
  await passTurns();
  expect(sizes).toEqual([16, 16]);
});

test('a lone caller never waits, nor does a batch after a quick one', async () => {
  const { sizes, call, endAfter } = openWork();
  await call(1);
  await endAfter(100);
  await call(1);
  expect(sizes).toEqual([1, 1]);

  await call(16);
  await endAfter(3);
  expect(sizes).toEqual([1, 1, 16]);
});
