/** The pages have five sizes of type, which tokens.css names: those of the shop, of the demo's providers, and of the API's description. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const sheets = globSync('{web,server}/**/*.css', { cwd: root }).filter((file) => !file.endsWith('fonts.css'));

const named = /var\(--text-(?:small|body|title|heading|display)\)|\binherit\b/;
/** The letters of what is drawn grow with the drawing; 1rem is for touch screens, where iOS would zoom into a smaller field. */
const drawn = /\d(?:cqw|cqi)\b|var\(--size\)|^font-size: 1rem;$/;

test('each size of type is one of the five', () => {
  const sizes = sheets.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?<![\w-])font(?:-size)?: [^;]*;/g)].map(
      ([rule]) => rule,
    ),
  );
  expect(sizes.length).toBeGreaterThan(30);
  expect(sizes.filter((rule) => !named.test(rule) && !drawn.test(rule))).toEqual([]);
});
