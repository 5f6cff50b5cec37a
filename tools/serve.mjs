// `npm run serve`: starts the store with the settings of `.env`, where there is one. `node server/main.ts` starts it too,
// without `.env` and without the compile cache.
import './compile-cache.mjs';
import { setFlagsFromString } from 'node:v8';

const { readOptions } = await import('./options.ts');
readOptions(
  'npm run serve',
  'Serves the store. Its settings are environment variables and those of .env.',
  {},
);

// The heap of this thread has the sizes of the command line. The threads of SQLite have limits of their own, which these
// flags would override.
for (const size of ['min-semi-space', 'max-semi-space', 'max-old-space']) {
  setFlagsFromString(`--${size}-size=0`);
}

const { loadEnvFile } = await import('../server/settings/env-file.ts');
const envFileNames = loadEnvFile();
const { serve } = await import('../server/main.ts');
await serve(envFileNames);
