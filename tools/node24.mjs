// Runs its arguments with Node 24 or newer: `node tools/node24.mjs <flags and file>`. It must run on any Node, since npm starts
// it with the installed one. `npm ci` installs a package with a Node for the platform. npm 10 does not link it into
// node_modules/.bin (the packages of all platforms share one link there, which npm removes with those of other platforms),
// so this finds it by its path.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = basename(dirname(root)) === 'node_modules' ? dirname(root) : join(root, 'node_modules');
const platform = process.platform === 'win32' ? 'win' : process.platform;
const binary = process.platform === 'win32' ? 'node.exe' : 'node';
const inPackage = (name) => join(modules, `${name}-${platform}-${process.arch}`, 'bin', binary);
const isNewEnough = Number(process.versions.node.split('.')[0]) >= 24;

// The package does not declare that it needs glibc: on a system without it the file exists, but does not run.
const runs = (file) => existsSync(file) && spawnSync(file, ['--version']).status === 0;
/** The first Node that runs: Node 24 of its package, the installed one, or the newer Node of a package (docs/decisions/0001). */
function findNode() {
  if (runs(inPackage('node'))) return inPackage('node');
  if (isNewEnough) return process.execPath;
  return runs(inPackage('node-bin')) ? inPackage('node-bin') : undefined;
}
const node = findNode();
if (node === undefined) {
  console.error(
    `This needs Node 24 or newer. npm ci installs it on most platforms, but not on this one (${process.platform} ${process.arch}): install it in place of Node ${process.versions.node}.`,
  );
  process.exit(1);
}

const child = spawn(node, process.argv.slice(2), {
  stdio: 'inherit',
  env: {
    // With one pool of memory for all threads, glibc keeps a tenth less of what they have freed: by default each has its own.
    MALLOC_ARENA_MAX: '1',
    ...process.env,
    PATH: [dirname(node), process.env.PATH].join(delimiter),
  },
});
// Ctrl-C in a terminal reaches both processes; other signals are forwarded.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm signals only the shell in which it started this, and the shell forwards nothing: its end counts as the signal.
const shell = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid === shell || child.kill('SIGTERM'), 200).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
