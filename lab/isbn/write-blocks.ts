/** `npm --prefix lab run isbn`: writes the blocks of ISBNs for server/catalogue/hyphenate-isbn.ts, as the package isbn3 has them. */

import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readOptions } from '../../tools/options.ts';

readOptions(
  'npm --prefix lab run isbn',
  'Writes the blocks of ISBNs into server/catalogue/isbn-blocks.json.',
  {},
);

type Groups = Readonly<Record<string, { ranges: readonly (readonly [first: string, last: string])[] }>>;
const groups: Groups = createRequire(import.meta.url)('isbn3/lib/groups.js');

const blocks = Object.entries(groups).map(([group, { ranges }]) => [
  group,
  ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(' '),
]);
const file = join(import.meta.dirname, '../../server/catalogue/isbn-blocks.json');
await writeFile(file, `${JSON.stringify(Object.fromEntries(blocks), null, 2)}\n`);
process.stdout.write(`${blocks.length} groups\n`);
