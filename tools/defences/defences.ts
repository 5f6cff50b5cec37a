/** The list of the store's defences, for `npm run test:defences`: how each is removed, and the test that then fails. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Defence = {
  name: string;
  file: string;
  testFile: string;
  testName: string;
  /** Selects one Vitest project: without PostgreSQL, a test file is in `plain` or in `SQLite`. */
  project: 'PostgreSQL' | '!PostgreSQL';
  find: string;
  /** The replacement code: the file still parses, and the defence is gone. */
  replace: string;
};

const separator = ' | ';

/**
 * @param list headings of `file | test file`, each with rows under it: `name | test | find`, or `name | test | find | replace`.
 * A heading that ends in `| PostgreSQL` has tests that run on both engines, and notice a removal on PostgreSQL alone.
 */
function parseDefences(list: string): Defence[] {
  let heading: Pick<Defence, 'file' | 'testFile' | 'project'> | undefined;
  return list.split(/\r?\n/).flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const fields = line.trim().split(separator);
    if (!line.startsWith(' ')) {
      const [file, testFile, engine] = fields;
      if (!file || !testFile || !['PostgreSQL', undefined].includes(engine)) throw faultIn(line);
      const isOnPostgres = engine !== undefined || testFile.includes('.postgres.');
      heading = { file, testFile, project: isOnPostgres ? 'PostgreSQL' : '!PostgreSQL' };
      return [];
    }
    const [name, testName, find, replace = '', ...more] = fields;
    if (!heading || !name || !testName || !find || more.length > 0) throw faultIn(line);
    return { name, ...heading, testName, find, replace };
  });
}

const faultIn = (line: string) => new Error(`neither a heading nor a row of the list of defences: ${line}`);

export const readDefences = (): Defence[] =>
  parseDefences(readFileSync(join(import.meta.dirname, 'defences.txt'), 'utf8'));

/** A browser test uses the pages, built with the edit. */
export const isOfBrowser = ({ testFile }: Pick<Defence, 'testFile'>): boolean =>
  testFile.endsWith('.spec.ts');

export const patternOfTitles = (parts: readonly string[]): string =>
  parts.map((part) => part.replace(/\W/g, '\\$&')).join('|');

export function removeDefence(source: string, { file, find, replace }: Defence): string {
  const matches = [...source.matchAll(patternOf(find))];
  const [match] = matches;
  if (!match || matches.length > 1) {
    throw new Error(`the code to replace occurs ${matches.length} times in ${file}, not once: ${find}`);
  }
  return source.slice(0, match.index) + replace + source.slice(match.index + match[0].length);
}

/** @returns what matches the code however it is formatted: its white space and its trailing commas may differ. */
function patternOf(code: string): RegExp {
  const characters = code
    .replace(/\s/g, '')
    .replace(/,(?=[)\]}])/g, '')
    .split('');
  const patterns = characters.map((character, index) => {
    if (/[)\]}]/.test(character)) return `(?:,\\s*)?\\${character}`;
    if (character === ',' && index === characters.length - 1) return '(?:,|(?=[)\\]}]))';
    return character.replace(/\W/, '\\$&');
  });
  return new RegExp(patterns.join('\\s*'), 'g');
}
