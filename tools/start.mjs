// `npm start`: builds the pages and serves the store.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const vite = join(import.meta.dirname, '..', 'node_modules', 'vite', 'bin', 'vite.js');
const { status } = spawnSync(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

await import('./serve.mjs');
