/** docs/asvs.tsv compares the store with OWASP ASVS 5.0.0, and names the tests that show it. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const [, ...lines] = readFileSync(join(root, 'docs', 'asvs.tsv'), 'utf8')
  .trimEnd()
  .split('\n');
const rows = lines.map((line) => {
  const [id = '', level = '', , state = '', evidence = ''] = line.split('\t');
  return { id, level, state, evidence };
});

/** The files that a text names, each with the titles in “…” that follow it. */
const filesIn = (text: string) =>
  [
    ...text.matchAll(
      /(?<![/\w.-])((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|css|html|json|md|yaml|conf|cfg))\b((?:,? “[^”]+”)*)/g,
    ),
  ].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));

test('the table has each requirement of the standard once: 70 of level 1, 183 of level 2', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253);
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183);
});

test('a requirement that is met names what shows it: files that exist, and titles of their tests', () => {
  const wrong = rows.flatMap(({ id, state, evidence }) => {
    const files = filesIn(evidence);
    const isShown = files.length > 0 || /as \d+\.\d+\.\d+|tests of \d+\.\d+\.\d+/.test(evidence);
    const missing = files.filter(({ file, titles }) => {
      if (!existsSync(join(root, file))) return true;
      if (!/\.(test|spec)\.ts$/.test(file)) return false;
      const source = readFileSync(join(root, file), 'utf8');
      return (
        titles.length === 0 ||
        titles.some((title) => !["'", '"', '`'].some((quote) => source.includes(quote + title + quote)))
      );
    });
    return state === 'met' && !isShown ? [id] : missing.map(({ file }) => `${id}: ${file}`);
  });

  expect(wrong).toEqual([]);
});
