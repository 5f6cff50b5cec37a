/**
 * `npm run dev`: builds the pages again whenever they change, and starts the store again whenever the server changes. The
 * store serves rebuilt pages without a restart.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { arePagesBuilt, buildPages, forgetBuild, viteArguments } from './build-pages.ts';
import { readOptions } from './options.ts';

readOptions('npm run dev', 'Serves the store, and applies each change of the pages and the server.', {});

const start = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...environment } });

// Vite has reported what is wrong.
if (!arePagesBuilt() && !(await buildPages())) process.exit(1);
forgetBuild();
const children = [
  // Without emptying the folder: the store would find no page there for a moment.
  start([...viteArguments, '--emptyOutDir=false', '--watch']),
  start(['--watch', '--watch-path=server', '--watch-path=contract', 'tools/serve.mjs'], {
    NODE_ENV: 'development',
  }),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
