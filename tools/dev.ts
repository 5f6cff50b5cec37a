import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build, type Plugin, type Rolldown } from 'vite';
import { pages } from './builds.ts';
import { readOptions } from './options.ts';

readOptions('npm run dev', 'Serves the store, and applies each change of the pages and the server.', {});

const root = join(import.meta.dirname, '..');

// Vite has already reported the error.
if (!pages.isBuilt() && !(await pages.make())) process.exit(1);
pages.forget();

const startStore = (): ChildProcess =>
  spawn(process.execPath, ['--import', './tools/compile-cache.mjs', 'tools/serve.ts'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development' },
  });
let store = startStore();
let isRestarting = false;
let isStopping = false;

async function stopStore(signal: NodeJS.Signals): Promise<void> {
  if (store.exitCode !== null || store.signalCode !== null) return;
  store.kill(signal);
  await once(store, 'exit');
}

async function restart(): Promise<void> {
  if (isRestarting) return;
  isRestarting = true;
  // Simultaneous changes, such as those of a git checkout, restart the store once.
  await pause(100);
  await stopStore('SIGTERM');
  if (isStopping) return;
  isRestarting = false;
  watchFolders();
  store = startStore();
}

let watchers: FSWatcher[] = [];

/** Watches folders one by one: a recursive watch, like Node's `--watch-path`, loses a file that an editor or git replaces. */
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
  process.once(signal, async () => {
    isStopping = true;
    await stopStore(signal);
    process.exit();
  });
}

/** An open page asks each second whether its files have changed. The pages of a shop do not. */
const reload: Plugin = {
  name: 'reload',
  transform: (code, id) =>
    /[\\/]web[\\/](?:main|desk)\.tsx$/.test(id)
      ? `${code}
let loaded;
const look = async () => {
  const page = await (await fetch('/login')).text();
  const files = String(page.match(/assets\\/[\\w.-]+/g));
  loaded ??= files;
  if (files !== loaded) location.reload();
};
setInterval(() => look().catch(() => {}), 1000);
`
      : undefined,
};

// The pages are built as for a shop, whatever mode this process has.
process.env['NODE_ENV'] = 'production';
const watcher = (await build({
  root: join(root, 'web'),
  configFile: join(root, 'web', 'vite.config.ts'),
  logLevel: 'warn',
  plugins: [reload],
  // The folder is not emptied: otherwise the store would find no page there for a moment.
  build: { emptyOutDir: false, watch: {} },
})) as Rolldown.RolldownWatcher;
watcher.on('event', (event) => {
  if (event.code !== 'BUNDLE_END') return;
  const time = new Date().toLocaleTimeString('en-GB');
  // The plugin that compresses files would hold back a line with “built in”.
  console.log(`${time} pages rebuilt (${(event.duration / 1000).toFixed(1)} s)`);
});
