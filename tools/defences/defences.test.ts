/** Checks of the list that take seconds; `npm run test:defences` does the rest. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { readDefences, removeDefence } from './defences.ts';

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
      const edited = removeDefence(read(defence.file), defence);
      const { errors } = defence.file.endsWith('.css') ? { errors: [] } : parseSync(defence.file, edited);
      return errors.map(({ message }) => `${defence.name}: ${message}`);
    } catch (error) {
      return [`${defence.name}: ${error}`];
    }
  });

  expect(faults).toEqual([]);
});

/** A test title may be composed of a row's values, so three consecutive words of it are enough. */
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
