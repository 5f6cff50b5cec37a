/**
 * `npm run dev`: builds the pages again whenever they change, and starts the store again whenever the server changes. The
 * store serves rebuilt pages without a restart.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pages, viteArguments } from './builds.ts';
import { readOptions } from './options.ts';

readOptions('npm run dev', 'Serves the store, and applies each change of the pages and the server.', {});

const start = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...environment } });

// Vite has reported what is wrong.
if (!pages.isBuilt() && !(await pages.make())) process.exit(1);
pages.forget();
// Without emptying the folder: the store would find no page there for a moment.
const build = start([...viteArguments('web'), '--emptyOutDir=false', '--watch']);
const startStore = () =>
  start(['--import', './tools/compile-cache.mjs', 'tools/serve.ts'], { NODE_ENV: 'development' });
let store = startStore();
let isRestarting = false;
let isStopping = false;

/** Changes that come together, such as those of a checkout by git, restart the store once. */
const settleMs = 100;

async function restart(): Promise<void> {
  if (isRestarting) return;
  isRestarting = true;
  await pause(settleMs);
  const hasEnded = store.exitCode !== null || store.signalCode !== null || once(store, 'exit');
  store.kill();
  await hasEnded;
  if (isStopping) return;
  isRestarting = false;
  watchFolders();
  store = startStore();
}

const root = join(import.meta.dirname, '..');
let watchers: FSWatcher[] = [];

/** Watches folders, one by one: a recursive watch, as Node's `--watch-path`, loses a file that an editor or git replaces. */
function watchFolders(): void {
  for (const watcher of watchers) watcher.close();
  const folders = ['server', 'contract'].flatMap((name) => [
    join(root, name),
    ...readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  ]);
  watchers = folders.map((folder) => watch(folder, () => void restart()));
}
watchFolders();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isStopping = true;
    for (const watcher of watchers) watcher.close();
    for (const child of [build, store]) child.kill(signal);
  });
}
