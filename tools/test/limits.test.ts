/** docs/limits.md has the numbers of the code. A comment in each line names the constants, the limits of requests or the setting. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LimitName, limits } from '../../server/http/rate-limits.ts';
import { settingRow } from '../../server/settings/table.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');

const dayMs = 86_400_000;
const units: readonly (readonly [string, number])[] = [
  ...([
    ['', 1],
    [' seconds', 1_000],
    [' minutes', 60_000],
    [' hours', 3_600_000],
  ] as const),
  ...([
    [' days', dayMs],
    [' KB', 1024],
    [' MB', 1024 ** 2],
    [' MB', 1_000_000],
  ] as const),
  [' megapixels', 1_000_000],
];

/** @returns the value of a constant or of a member of one: a number, or a product of numbers and of other constants of the file. */
function constant(file: string, name: string): number {
  if (name === 'dayMs') return dayMs;
  const [, product] = new RegExp(`\\b${name}(?: =|:) ([\\w *]+)[;,)}\\n ]`).exec(read(file)) ?? [];
  if (product === undefined) throw new Error(`${file} has no constant ${name}`);
  const factors = product.split('*').map((factor) => factor.trim().replaceAll('_', ''));
  return factors.reduce((value, factor) => value * (Number(factor) || constant(file, factor)), 1);
}

const grouped = (number: number): string => number.toLocaleString('en');

/** @returns how the page may write what a comment names. */
function textsOf(place: string, name: string): string[] {
  if (place === '') return [];
  if (place === 'settings:') return [grouped(Number(settingRow('MAX_CONNECTIONS').default))];
  if (place !== 'limits:') return units.map(([unit, size]) => grouped(constant(place, name) / size) + unit);
  const { perClient, perAccount }: { perClient: number; perAccount?: number } = limits[name as LimitName];
  return [`${perAccount ?? 'no limit'} | ${grouped(perClient)}`];
}

test('each line of docs/limits.md with a number has that of the code, and no limit of requests is left out', () => {
  const lines = read('docs/limits.md').split('\n');
  const rows = lines.filter((line) => /^[|-].*\d/.test(line));
  const named = rows.flatMap((row) => {
    const comments = [...row.matchAll(/<!-- (\S+) (.+?) -->/g)];
    const text = row.replace(/<!--.*/, '');
    return (comments.length > 0 ? comments : [['', '', 'none']]).flatMap(([, place = '', names = '']) =>
      names.split(' ').map((name) => ({ text, place, name })),
    );
  });

  const isThere = ({ text, place, name }: (typeof named)[number]) =>
    textsOf(place, name).some((number) =>
      new RegExp(`(?<![\\d,.])${number.replace('|', '\\|')}(?![\\d,.]*\\d)`).test(text),
    );
  expect(named.filter((one) => !isThere(one))).toEqual([]);
  const ofRequests = named.filter(({ place }) => place === 'limits:').map(({ name }) => name);
  expect(ofRequests.sort()).toEqual(Object.keys(limits).sort());
});
