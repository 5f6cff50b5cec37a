/** The store while it is being worked on: it starts again when the server changes, and the pages are built as they do. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const start = (...args: string[]): ChildProcess => spawn(process.execPath, args, { stdio: 'inherit' });
const vite = 'node_modules/vite/bin/vite.js';

if (!existsSync('dist/index.html')) await once(start(vite, 'build', '--logLevel', 'warn'), 'exit');
const children = [
  start(vite, 'build', '--watch', '--logLevel', 'warn'),
  // The pages are read at the start, so a new build of them starts the store again as well.
  start('--watch', '--watch-path=server', '--watch-path=contract', '--watch-path=dist', 'scripts/serve.mjs'),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
