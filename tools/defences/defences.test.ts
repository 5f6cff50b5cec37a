/** What can be checked of the table in seconds; `npm run test:defences` does the rest. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Defence, removeDefence } from './defence.ts';
import { defences } from './defences.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the table has at least 60 defences, each under its own name', () => {
  expect(defences.length).toBeGreaterThanOrEqual(60);
  expect(new Set(defences.map(({ name }) => name)).size).toBe(defences.length);
});

test('each removal applies to its file exactly once', () => {
  const faults = defences.flatMap((defence) => {
    try {
      removeDefence(read(defence.file), defence);
      return [];
    } catch (error) {
      return [error];
    }
  });

  expect(faults).toEqual([]);
});

test('each removal changes something', () => {
  expect(defences.filter(({ find, replace }) => find === replace)).toEqual([]);
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

test.each([
  ['does not occur', 'guard();', 0],
  ['occurs twice', 'check(); check();', 2],
])('a removal whose text %s is rejected', (_, source, times) => {
  const defence: Defence = {
    name: 'a check',
    file: 'checked.ts',
    find: 'check();',
    replace: '',
    project: 'plain',
    testFile: 'checked.test.ts',
    testName: 'is checked',
  };

  expect(() => removeDefence(source, defence)).toThrow(`occurs ${times} times in checked.ts`);
});
