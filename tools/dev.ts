/**
 * The store while it is being worked on: it starts again when the server changes, and serves the pages as they are built
 * again, without a new start.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const start = (args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } });
// Not emptied between two builds: the store would find no page there for a moment.
const build = ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn', '--emptyOutDir=false'];

if (!existsSync('dist/index.html')) {
  const [code] = await once(start(build), 'exit');
  // What is wrong has been said.
  if (code !== 0) process.exit(1);
}
const children = [
  start([...build, '--watch']),
  // Told that it is being worked on, it takes the files of each build by itself.
  start(['--watch', '--watch-path=server', '--watch-path=contract', 'tools/serve.mjs'], {
    NODE_ENV: 'development',
  }),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
