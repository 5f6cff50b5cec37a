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
