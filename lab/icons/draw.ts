/** `npm --prefix lab run icons`: draws the store's icons from its favicon, and writes them beside it. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from '../../tools/options.ts';
import { drawings, publicFolder } from './drawings.ts';

readOptions(
  'npm --prefix lab run icons',
  'Draws the icons of the store from web/public/favicon.svg, into the same folder.',
  {},
);

for (const [name, draw] of Object.entries(drawings)) {
  const image = await draw();
  await writeFile(join(publicFolder, name), image);
  process.stdout.write(`${name}: ${image.length} bytes\n`);
}
