import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareFiles } from './shared-renditions.ts';

/** Finds a new copy of a file each time, as a database does. */
function countedFiles() {
  const found: string[] = [];
  const find = shareFiles(async (id: string, width: number) => {
    found.push(`${id} ${width}`);
    await setImmediate();
    return id === 'missing' ? undefined : Buffer.alloc(100_000, id);
  });
  return { found, find };
}

test('requests for the same file at the same time load it once', async () => {
  const { found, find } = countedFiles();

  const files = await Promise.all([find('a', 1), find('a', 1), find('a', 2), find('b', 1), find('a', 1)]);

  expect(found).toEqual(['a 1', 'a 2', 'b 1']);
  expect(files[4]?.buffer).toBe(files[0]?.buffer);
  expect(Buffer.from(files[3] ?? []).toString('latin1', 0, 2)).toBe('bb');
});

test('a request for a file of which another one still sends a piece loads no copy', async () => {
  const { found, find } = countedFiles();
  const piece = (await find('a', 1))?.subarray(99_000);

  const again = await find('a', 1);

  expect(found).toEqual(['a 1']);
  expect(again?.buffer).toBe(piece?.buffer);
  expect(again).toEqual(new Uint8Array(100_000).fill(97));
});

test('a file that is not there is looked for each time', async () => {
  const { found, find } = countedFiles();

  expect([await find('missing', 1), await find('missing', 1)]).toEqual([undefined, undefined]);
  expect(found).toHaveLength(2);
});
