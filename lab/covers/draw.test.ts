import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { demoBooks } from '../../server/demo/books.ts';
import { coverFile } from '../../server/demo/catalogue.ts';
import { drawCover } from './cover.ts';

const callTool = (argument: string) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'draw.ts'), argument], { encoding: 'utf8' });

test('--help prints the usage and draws nothing', () => {
  const { status, stdout, stderr } = callTool('--help');

  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: npm run covers\b/);
});

test.each(['--size', 'gatsby'])('%s is rejected in one sentence', (argument) => {
  const { status, stdout, stderr } = callTool(argument);

  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(argument);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('the cover files of the demo show what `npm run covers` would draw', async () => {
  for (const book of demoBooks) {
    // 240 pixels for a drawing of 800 units, with 72 units per inch.
    const drawing = sharp(Buffer.from(drawCover(book)), { density: 21.6 });
    const [drawn, stored] = await Promise.all(
      [drawing, sharp(coverFile(book, 240))].map((image) => image.removeAlpha().raw().toBuffer()),
    );
    if (!drawn || !stored) throw new Error('there are no pixels');

    const difference = drawn.reduce((sum, value, i) => sum + Math.abs(value - (stored[i] ?? 0)), 0);
    // From 0 to 255. The reduction to sixteen colours makes a difference of up to 2.
    expect(difference / drawn.length, `${book.title}: \`npm run covers\` draws it anew`).toBeLessThan(3);
  }
});
