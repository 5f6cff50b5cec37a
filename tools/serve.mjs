// `npm run serve`: starts the store with the settings of `.env`, where there is one. `node server/main.ts` starts it too,
// without `.env` and without the compile cache.
import './compile-cache.mjs';
import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

const { readOptions } = await import('./options.ts');
readOptions(
  'npm run serve',
  'Serves the store. Its settings are environment variables and those of .env.',
  {},
);

if (existsSync('.env')) loadEnvFile('.env');
await import('../server/main.ts');
