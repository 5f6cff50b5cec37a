/** docs/security.md compares the store with OWASP ASVS 5.0.0. These tests fail when a test
 * that it names does not exist; docs.test.ts checks its links. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(docs, 'security.md'), 'utf8');

/** By chapter, how many requirements of level 1 and of level 2 the standard has (5.0.0, the CSV of its release). */
const requirementCounts: Readonly<Record<string, readonly [level1: number, level2: number]>> = {
  V1: [8, 19],
  V2: [4, 7],
  V3: [8, 11],
  V4: [2, 8],
  V5: [4, 5],
  V6: [13, 22],
  V7: [6, 12],
  V8: [4, 3],
  V9: [4, 3],
  V10: [5, 24],
  V11: [3, 11],
  V12: [3, 6],
  V13: [1, 12],
  V14: [2, 7],
  V15: [3, 10],
  V16: [0, 16],
  V17: [0, 7],
};

const rowPattern = /^\| v5\.0\.0-(\d+)\.(\d+\.\d+) \| ([12]) \| (.+?) \| (met|n\.a\.|open) \| (.+) \|$/;

const rows = page.split('\n').flatMap((line) => {
  if (!line.startsWith('| v5.0.0-')) return [];
  const match = rowPattern.exec(line);
  if (!match) throw new Error(`not a row of the table: ${line}`);
  const [, chapter = '', number = '', level = '', , state = '', evidence = ''] = match;
  return { id: `${chapter}.${number}`, chapter: `V${chapter}`, level, state, evidence };
});

const link = /\[[^\]]+\]\(([^)#\s]*)(?:#[^)]*)?\)/g;

/** The links to test files in a cell, each with the titles in “…” that follow it: “title”, “title”. */
function namedTests(text: string): { file: string; titles: string[] }[] {
  return [...text.matchAll(/\]\(([^)\s]+\.(?:test|spec)\.ts)\)((?:,? “[^”]+”)*)/g)].map(
    ([, file = '', titles = '']) => ({
      file,
      titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, t = '']) => t),
    }),
  );
}

test('the page has each requirement once, and as many of each level as the standard', () => {
  const ids = rows.map(({ id }) => id);
  const count = (chapter: string, level: string) =>
    rows.filter((row) => row.chapter === chapter && row.level === level).length;
  const chapters = Object.keys(requirementCounts);
  const counted = Object.fromEntries(chapters.map((one) => [one, [count(one, '1'), count(one, '2')]]));

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(counted).toEqual(requirementCounts);
  expect(rows).toHaveLength(
    Object.values(requirementCounts)
      .flat()
      .reduce((sum, one) => sum + one, 0),
  );
});

test('the summary counts the rows', () => {
  const summary = ['1', '2'].map((level) => {
    const states = rows.filter((row) => row.level === level).map(({ state }) => state);
    const counts = ['met', 'n.a.', 'open'].map((state) => states.filter((one) => one === state).length);
    return `| ${[level, ...counts, states.length].join(' | ')} |`;
  });

  for (const line of summary) expect(page).toContain(line);
});

test('every requirement that is met names a test or links to what shows it', () => {
  const isShown = (evidence: string) =>
    [...evidence.matchAll(link)].length > 0 || /^as \d+\.\d+\.\d+|tests of \d+\.\d+\.\d+/.test(evidence);

  expect(rows.filter(({ state, evidence }) => state === 'met' && !isShown(evidence))).toEqual([]);
});

test('every test that the page names exists: its file has its title', () => {
  const isTitle = (source: string, title: string) =>
    ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
  const missing = namedTests(page).flatMap(({ file, titles }) => {
    const path = join(docs, file);
    const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return titles.filter((title) => !isTitle(source, title)).map((title) => `${file}: ${title}`);
  });

  expect(missing).toEqual([]);
});

test('every test file that a row links to is followed by a title', () => {
  const withoutTitle = rows.filter(({ evidence }) =>
    namedTests(evidence).some(({ titles }) => titles.length === 0),
  );

  expect(withoutTitle).toEqual([]);
});
