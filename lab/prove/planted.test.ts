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
