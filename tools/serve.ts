/** The store as a process, with the settings of `.env`, where there is one: `npm run serve` starts its build, `npm run dev` this file. */

import { setFlagsFromString } from 'node:v8';
import { serve } from '../server/serve.ts';
import { loadEnvFile } from '../server/settings/env-file.ts';
import { isInstalled, readOptions } from './options.ts';

readOptions(
  isInstalled ? 'npx colophon serve' : 'npm run serve',
  'Serves the store. Its settings are environment variables and those of .env.',
  {},
);

// The heap of this thread has the sizes of the command line. The threads of SQLite have limits of their own, which these
// flags would override.
for (const size of ['min-semi-space', 'max-semi-space', 'max-old-space']) {
  setFlagsFromString(`--${size}-size=0`);
}

await serve(loadEnvFile());
