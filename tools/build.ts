/** `npm run build`. */

import { buildPages } from './build-pages.ts';
import { readOptions } from './options.ts';

readOptions('npm run build', 'Builds the pages that the store serves.', {});

process.exitCode = (await buildPages()) ? 0 : 1;
