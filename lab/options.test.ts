import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const run = (file: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], { encoding: 'utf8' });

test.each([
  ['bench/run.ts', 'npm run bench'],
  ['bench/run.ts fill', 'npm run bench -- fill'],
  ['bench/run.ts search', 'npm run bench -- search [FILE]'],
  ['failover/run.ts', 'npm --prefix lab run failover'],
  ['icons/draw.ts', 'npm --prefix lab run icons'],
  ['isbn/write-blocks.ts', 'npm --prefix lab run isbn'],
  ['lighthouse.ts', 'npm --prefix lab run lighthouse'],
  ['prove/run.ts', 'npm run prove'],
  ['scroll.ts', 'npm --prefix lab run scroll'],
])('%s prints its usage with --help', (program, command) => {
  const [file = '', ...words] = program.split(' ');
  const { stdout, stderr, status } = run(file, ...words, '--help');

  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout.startsWith(`Usage: ${command} `)).toBe(true);
});

test.each([
  ['bench/run.ts', ['--rounds', '1.5'], '--rounds: "1.5" is not a whole number from 1 to 999999999'],
  ['bench/run.ts', ['--only', 'reads', '--only', 'writes'], '--only: "writes" is none of reads, orders, '],
  ['bench/run.ts', ['fil'], "Unexpected argument 'fil'"],
  ['bench/run.ts', ['fill', '--books', 'x'], '--books: "x" is not a whole number'],
  ['bench/run.ts', ['search', 'a.csv', 'b.csv'], "Unexpected argument 'b.csv'"],
  ['prove/run.ts', ['--short=yes'], "Option '--short' does not take an argument"],
])('%s rejects %j in one sentence', (file, args, message) => {
  const { stdout, stderr, status } = run(file, ...args);

  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+; --help lists the options\.\n$/);
});
