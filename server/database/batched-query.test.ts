import cluster from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { batchedWork } from './batched-query.ts';
import type { Db } from './tables.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The work has no database: it is only what calls are told apart by, and the engine. */
const dbOf = (engine: { writesInTurn: boolean }) =>
  ({ getExecutor: () => ({ adapter: { engine } }) }) as unknown as Db;

/** @returns the sizes of the batches so far, a function that makes calls, and one that lets the running batch end after this time. */
function openWork(db = dbOf({ writesInTurn: true })) {
  const sizes: number[] = [];
  let end = () => {};
  const work = batchedWork(async (_db, items: readonly Record<string, number>[]) => {
    sizes.push(items.length);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return items;
  });
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

test('after batches that took long the next one waits for the callers of both', async () => {
  const { sizes, call, endAfter } = openWork();
  for (const ms of [12, 12]) {
    await call(16);
    await endAfter(ms);
  }
  await call(16);
  await call(16);

  await endAfter(12);
  await call(15);
  expect(sizes).toEqual([16, 16, 16]);
  await call(1);
  expect(sizes).toEqual([16, 16, 16, 32]);
});

test.each([
  ['in this process', { writesInTurn: true }],
  ['in another process', { writesInTurn: false }],
])(
  'but for no longer than a quarter of the time that the quickest of the last few took: %s',
  async (_, engine) => {
    const work = openWork(dbOf(engine));
    for (const ms of [12, 12, 12]) {
      await work.call(7);
      await work.endAfter(ms);
    }
    await work.call(7);
    await work.call(16);
    await work.endAfter(12);
    vi.advanceTimersByTime(2);
    await passTurns();
    expect(work.sizes).toEqual([7, 7, 7, 7]);
    vi.advanceTimersByTime(1);
    await passTurns();
    expect(work.sizes).toEqual([7, 7, 7, 7, 16]);
  },
);

test('the next batch is sent before the callers of the last one go on', async () => {
  const events: string[] = [];
  const work = batchedWork(async (_db, [item]: readonly { name: string }[]) => {
    events.push(`${item?.name} is sent`);
    await nextTurn();
    return [item];
  });
  const db = dbOf({ writesInTurn: true });
  const call = async (name: string) => {
    await work(db, { name });
    events.push(`${name} has its answer`);
  };

  const first = call('the first');
  await nextTurn();
  await Promise.all([first, call('the second')]);

  expect(events).toEqual([
    'the first is sent',
    'the second is sent',
    'the first has its answer',
    'the second has its answer',
  ]);
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

test('a batch does not wait after a slow one among quick ones', async () => {
  const { sizes, call, endAfter } = openWork();
  await call(16);
  for (const ms of [1, 12, 12]) {
    await call(16);
    await endAfter(ms);
  }
  expect(sizes).toEqual([16, 16, 16, 16]);
});

test('a database that is another process gets half of the calls at a time, and all after some that took long', async () => {
  const { sizes, call, endAfter } = openWork(dbOf({ writesInTurn: false }));
  await call(7);
  await endAfter(1);
  await call(32);
  expect(sizes).toEqual([7, 16]);

  await endAfter(1);
  expect(sizes).toEqual([7, 16, 16]);
  for (const ms of [12, 12]) {
    await call(16);
    await endAfter(ms);
  }
  expect(sizes).toEqual([7, 16, 16, 16, 16]);
  await call(16);
  await endAfter(12);
  expect(sizes).toEqual([7, 16, 16, 16, 16]);
  await call(16);
  expect(sizes).toEqual([7, 16, 16, 16, 16, 32]);
});

test('of several workers each sends all of its calls', async () => {
  Object.assign(cluster, { isWorker: true });
  onTestFinished(() => void Object.assign(cluster, { isWorker: false }));
  const { sizes, call, endAfter } = openWork(dbOf({ writesInTurn: false }));
  await call(32);
  await call(16);
  await endAfter(1);
  expect(sizes).toEqual([32, 16]);
});

test('halves of different sizes become even', async () => {
  const { sizes, call, endAfter } = openWork(dbOf({ writesInTurn: false }));
  await call(8);
  await call(24);
  await endAfter(1);
  await call(4);
  await endAfter(1);
  expect(sizes).toEqual([4, 16, 16]);
});
