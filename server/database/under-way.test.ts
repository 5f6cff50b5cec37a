import { expect, test } from 'vitest';
import { oldBytes } from '../testing/old-objects.ts';
import { UnderWay } from './under-way.ts';

test('what has begun and not ended counts, and the newest is known', () => {
  const underWay = new UnderWay();
  expect(underWay.newest).toBe(Number.NEGATIVE_INFINITY);
  const [first, , last] = [underWay.begin(1), underWay.begin(2), underWay.begin(3)];
  expect([underWay.count, underWay.newest]).toEqual([3, 3]);

  underWay.end(last);
  expect([underWay.count, underWay.newest]).toEqual([2, 2]);
  underWay.end(first);
  underWay.end(first);
  expect([underWay.count, underWay.newest]).toEqual([1, 2]);
  underWay.begin(4);
  expect([underWay.count, underWay.newest]).toEqual([2, 4]);
});

test('what is forgotten does not count, and may end later', () => {
  const underWay = new UnderWay();
  const slow = underWay.begin(1);
  underWay.begin(2);

  underWay.forgetUntil(1);
  expect([underWay.count, underWay.newest]).toEqual([1, 2]);
  underWay.end(slow);
  expect(underWay.count).toBe(1);
  underWay.begin(3);
  expect(underWay.count).toBe(2);
});

test('what comes and goes leaves nothing among V8’s old objects', () => {
  const underWay = new UnderWay();
  const come = (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const all = Array.from({ length: 20 }, () => underWay.begin(performance.now()));
      for (const begun of all) underWay.end(begun);
    }
  };
  come(1_000);
  const before = oldBytes();
  come(20_000);
  expect(oldBytes() - before).toBeLessThan(1_000_000);
});
