// Starts the store with the settings of `.env`, where there is one, and with Node's compile cache: from the second start
// on, no file is stripped of its types or compiled again, which saves time and 20 MB at the start
// (docs/decisions/0016). `server/main.ts` itself runs as well without it.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';

if (existsSync('.env')) loadEnvFile('.env');
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'colophon'));
await import('../server/main.ts');
