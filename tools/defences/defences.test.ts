/** Checks of the list that take seconds; `npm run test:defences` does the rest. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { type Defence, parseDefences, readDefences, removeDefence } from './defences.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const defences = readDefences();

test('each defence has its own name', () => {
  expect(defences.length).toBeGreaterThan(0);
  expect(new Set(defences.map(({ name }) => name)).size).toBe(defences.length);
});

test('each removal applies to its file exactly once, and leaves code that parses', () => {
  const faults = defences.flatMap((defence) => {
    try {
      const { errors } = parseSync(defence.file, removeDefence(read(defence.file), defence));
      return errors.map(({ message }) => `${defence.name}: ${message}`);
    } catch (error) {
      return [`${defence.name}: ${error}`];
    }
  });

  expect(faults).toEqual([]);
});

/** A title may be made of a row's values, so three words in a row of it are enough. */
function hasTitle(source: string, title: string): boolean {
  const words = title.split(' ');
  return words.some((_, index) => {
    const part = words.slice(index, index + 3);
    return part.length === Math.min(3, words.length) && source.includes(part.join(' '));
  });
}

test('the title of each test is in its file', () => {
  const missing = defences.filter(({ testFile, testName }) => !hasTitle(read(testFile), testName));

  expect(missing.map(({ testFile, testName }) => `${testFile}: ${testName}`)).toEqual([]);
});

const removing = (find: string, replace = ''): Defence => ({
  name: 'a check',
  file: 'checked.ts',
  testFile: 'checked.test.ts',
  testName: 'is checked',
  project: '!PostgreSQL',
  find,
  replace,
});

test.each([
  ['in one line', 'open(first, { last }); close();'],
  ['in several lines', 'open(\n  first,\n  {\n    last,\n  },\n);\nclose();'],
])('code is found however it is formatted: %s', (_, source) => {
  const removed = removeDefence(source, removing('open(first, { last });', 'enter();'));

  expect(removed.replace(/\s+/g, ' ')).toBe('enter(); close();');
});

test('a field that is removed is found without its comma too, at the end', () => {
  expect(removeDefence('({ a: 1, b: 2 })', removing('b: 2,'))).toBe('({ a: 1, })');
});

test.each([
  ['does not occur', 'guard();', 0],
  ['occurs twice', 'check(); check();', 2],
])('a removal whose code %s is rejected', (_, source, times) => {
  expect(() => removeDefence(source, removing('check();'))).toThrow(`occurs ${times} times in checked.ts`);
});

test('a test that runs on both engines runs on PostgreSQL where its heading says so', () => {
  const row = '  a check | is checked | check();\n';
  const [shared, marked, postgres] = parseDefences(
    `a.ts | a.test.ts\n${row}a.ts | a.test.ts | PostgreSQL\n${row}a.ts | a.postgres.test.ts\n${row}`,
  );

  expect([shared, marked, postgres].map((defence) => defence?.project)).toEqual([
    '!PostgreSQL',
    'PostgreSQL',
    'PostgreSQL',
  ]);
});

test.each([
  ['  a check | is checked | check();', 'no heading'],
  ['a.ts | a.test.ts\n  a check | is checked', 'no code'],
  ['a.ts | a.test.ts\n  a check | is checked | check(); | true | false', 'a field too many'],
  ['a.ts', 'no test file'],
])('a list with %j is rejected: %s', (list) => {
  expect(() => parseDefences(list)).toThrow('neither a heading nor a row');
});
