import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plant, readPlanted } from './planted.ts';

const root = join(import.meta.dirname, '..', '..');

test.each(readPlanted())('“$name” can still be planted', ({ edits }) => {
  expect(edits).not.toEqual([]);
  for (const edit of edits) {
    const source = readFileSync(join(root, edit.file), 'utf8');

    expect(plant(source, edit)).not.toBe(source);
  }
});

test('docs/reliability.md has no fault that is no longer planted', () => {
  const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
  const [, table = ''] = page.split('| Planted fault | Found by | Within |\n| --- | --- | --- |\n');
  const named = table.split('\n').flatMap((line) => /^\| (.+?) \| /.exec(line)?.[1] ?? []);
  const planted = new Set(readPlanted().map(({ name }) => name));

  expect(named.filter((name) => !planted.has(name))).toEqual([]);
});
