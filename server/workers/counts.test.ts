import { expect, test } from 'vitest';
import { openCounts } from './counts.ts';

test('counts each limit and key in windows of its own', () => {
  let now = 0;
  const count = openCounts(() => now);
  count('a', 'ada', 1_000);
  now = 400;

  expect(count('a', 'ada', 1_000)).toEqual({ current: 2, ttl: 600 });
  expect(count('a', 'bob', 1_000)).toEqual({ current: 1, ttl: 1_000 });
  expect(count('b', 'ada', 1_000)).toEqual({ current: 1, ttl: 1_000 });
  now = 1_000;
  expect(count('a', 'ada', 1_000)).toEqual({ current: 1, ttl: 1_000 });
});

test('of each limit the least recently used of 5,000 keys is dropped', () => {
  const count = openCounts(() => 0);
  count('a', 'first', 1_000);
  count('a', 'second', 1_000);
  for (let key = 0; key < 4_998; key += 1) count('a', String(key), 1_000);
  count('a', 'first', 1_000);

  count('a', 'another', 1_000);

  expect(count('a', 'first', 1_000).current).toBe(3);
  expect(count('a', 'second', 1_000).current).toBe(1);
});
