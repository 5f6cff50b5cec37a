import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('a bounded map forgets what was set longest ago, and counts the rest', () => {
  const map = new BoundedMap<number, string>({ maxEntries: 3 });

  for (let key = 0; key < 1_000; key += 1) {
    map.set(key, 'one').set(0, 'set again');
    expect(map.size).toBeLessThanOrEqual(3);
  }

  expect([...map]).toEqual([
    [998, 'one'],
    [999, 'one'],
    [0, 'set again'],
  ]);
});

test('a bounded map has no more bytes than it may have, whatever was replaced or deleted', () => {
  const map = new BoundedMap<number, string>({
    maxEntries: 100,
    maxBytes: 10,
    bytesOf: ({ length }) => length,
  });
  map.set(1, 'four').set(1, 'three').set(2, 'three').delete(2);
  map.set(3, '12345');
  expect([...map.keys()]).toEqual([1, 3]);

  map.set(4, '1');
  expect([...map.keys()]).toEqual([3, 4]);

  map.clear();
  map.set(5, '1234567890');
  expect([...map.keys()]).toEqual([5]);
});
