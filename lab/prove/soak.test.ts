import { expect, test } from 'vitest';
import { changesOf, type Window } from './soak.ts';

const steady: Window = { memoryMiB: 180, descriptors: 46, threads: 14, logBytes: 2_000, p99Ms: 12 };
/** Four hundred windows, whose figures go up and down as those of a real run do. */
const windowsWith = (change: (share: number) => Partial<Window>): Window[] =>
  Array.from({ length: 400 }, (_, index) => ({
    ...steady,
    memoryMiB: 180 + (index % 5),
    p99Ms: index % 3 === 0 ? 300 : 12,
    ...change(index / 400),
  }));

test('a store that is as it was has not changed', () => {
  expect(changesOf(windowsWith(() => ({})))).toEqual([]);
  // The first quarter does not count.
  expect(changesOf(windowsWith((share) => (share < 0.25 ? { memoryMiB: 120 } : {})))).toEqual([]);
});

test.each<[string, (share: number) => Partial<Window>]>([
  ['memoryMiB', (share) => ({ memoryMiB: 180 + 30 * share })],
  ['descriptors', (share) => ({ descriptors: 46 + Math.floor(10 * share) })],
  ['threads', (share) => ({ threads: share > 0.9 ? 15 : 14 })],
  ['logBytes', (share) => ({ logBytes: 2_000 + 1_000 * share })],
  ['p99Ms', (share) => ({ p99Ms: 12 + 20 * share })],
])('%s that grow all the time are found', (name, change) => {
  expect(changesOf(windowsWith(change))).toEqual([expect.stringMatching(`^${name} has grown from`)]);
});
