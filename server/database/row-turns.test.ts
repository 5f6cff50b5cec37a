import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { beginVisit, inTurns, noteVisit, readInTurn, takeTurn } from './row-turns.ts';

// One clock for all tests: the module remembers when the last visitor left.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterAll(() => void vi.useRealTimers());
beforeEach(() => void vi.advanceTimersByTime(1_000));

const begun: string[] = [];
beforeEach(() => void begun.splice(0));
const begin = (name: string) => takeTurn().then(() => begun.push(name));

/** Far more turns of the event loop than there are slices in a test. */
async function passTurns() {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
}

test('a slice waits for the requests of visitors, and for the one that may follow', async () => {
  const endFirst = beginVisit();
  const endSecond = beginVisit();
  const slice = begin('slice');

  await passTurns();
  expect(begun).toEqual([]);
  endFirst();
  vi.advanceTimersByTime(2);
  await passTurns();
  expect(begun).toEqual([]);
  endSecond();
  await passTurns();
  expect(begun).toEqual([]);

  vi.advanceTimersByTime(2);
  await slice;
});

test('slices go on, one at a time, while visitors never stop', async () => {
  const end = beginVisit();
  const slices = Promise.all(['first', 'second', 'third'].map(begin));

  for (const count of [1, 2, 3]) {
    await passTurns();
    vi.advanceTimersByTime(10);
    await passTurns();
    expect(begun).toHaveLength(count);
  }

  await slices;
  end();
});

test('a request that waits for something else than the thread holds up no slice', async () => {
  const end = beginVisit();
  vi.advanceTimersByTime(100);

  await Promise.all(['first', 'second', 'third'].map(begin));

  end();
});

test('the next slice waits until the rows of the one before have been read, but not for a slow read', async () => {
  const reads = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reading = reads.map(({ promise }, index) =>
    readInTurn(() => {
      begun.push(`read ${index}`);
      return promise;
    }),
  );
  const slice = begin('slice');

  await passTurns();
  expect(begun).toEqual(['read 0']);
  reads[0]?.resolve();
  await passTurns();
  expect(begun).toEqual(['read 0', 'read 1']);
  vi.advanceTimersByTime(10);
  await slice;

  reads[1]?.resolve();
  await Promise.all(reading);
});

test('while there are visitors the thread rests after each slice, and after each read', async () => {
  noteVisit();
  const rows = Promise.withResolvers<void>();
  const read = () => {
    begun.push('read');
    return rows.promise;
  };
  const slices = Promise.all([begin('first'), readInTurn(read), begin('last')]);

  await passTurns();
  expect(begun).toEqual(['first']);
  vi.advanceTimersByTime(1);
  await passTurns();
  vi.advanceTimersByTime(5);
  rows.resolve();
  await passTurns();
  expect(begun).toEqual(['first', 'read']);

  // As long as the read took.
  vi.advanceTimersByTime(4);
  await passTurns();
  expect(begun).toEqual(['first', 'read']);
  vi.advanceTimersByTime(1);
  await slices;
});

test('without visitors it does not rest', async () => {
  noteVisit();
  vi.advanceTimersByTime(200);

  await Promise.all([begin('first'), readInTurn(async () => {}), begin('last')]);
});

test('a chunk of an upload is taken after a turn for every 16 KB of it', async () => {
  noteVisit();
  async function* upload() {
    yield* [1, 16 * 1024, 40 * 1024].map((bytes) => Buffer.alloc(bytes));
  }
  const taking = (async () => {
    for await (const chunk of inTurns(upload())) begun.push(String(chunk.length / 1024));
  })();

  for (const count of [1, 2, 2, 2, 3]) {
    await passTurns();
    expect(begun).toHaveLength(count);
    vi.advanceTimersByTime(1);
  }
  await taking;
});
