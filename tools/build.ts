/** `npm run build`. */

import { pages, server } from './builds.ts';
import { readOptions } from './options.ts';

readOptions('npm run build', 'Builds the pages that the store serves, and the server.', {});

const built = await Promise.all([pages.make(), server.make()]);
process.exitCode = built.every(Boolean) ? 0 : 1;
