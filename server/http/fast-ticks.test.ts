import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Prints whether the optimized code of `process.nextTick` outlives collections that find no tick in memory. `%` calls V8's
 * own functions; 64 is the bit of the optimizing compiler in V8's `OptimizationStatus`.
 */
const program = `
  const isOptimized = () => (%GetOptimizationStatus(process.nextTick) & 64) !== 0;
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
  while (!isOptimized()) {
    for (let count = 0; count < 1_000; count += 1) process.nextTick(() => {});
    await turn();
  }
  for (let count = 0; count < 6; count += 1) {
    gc();
    await turn();
  }
  process.nextTick(() => {});
  await turn();
  console.log(isOptimized());
`;

test('a collection of all ticks does not make later ones slow', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--expose-gc', '--allow-natives-syntax', '--input-type=module'],
    ...['--import', join(import.meta.dirname, 'fast-ticks.ts'), '--eval', program],
  ]);

  expect(stdout.trim()).toBe('true');
});
