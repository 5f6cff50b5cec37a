// Runs its arguments with Node 24: `node tools/node24.mjs <flags and file>`. Written for any Node, since npm starts it
// with the machine's own. The platform's package brings Node 24 along; npm 10 does not link it into node_modules/.bin
// (its four packages share one link there, which goes with those that do not fit), so it is found by its place.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');
const platform = process.platform === 'win32' ? 'win' : process.platform;
const binary = process.platform === 'win32' ? 'node.exe' : 'node';
const broughtAlong = join(modules, `node-${platform}-${process.arch}`, 'bin', binary);
const isNewEnough = Number(process.versions.node.split('.')[0]) >= 24;

// The package does not say that it wants glibc: on a system without it the file is there and does not run.
const runs = (file) => existsSync(file) && spawnSync(file, ['--version']).status === 0;
const node = runs(broughtAlong) ? broughtAlong : isNewEnough ? process.execPath : undefined;
if (node === undefined) {
  console.error(
    `This needs Node 24 or newer, which npm ci brings along on most machines but not on this one (${process.platform} ${process.arch}): install it in place of Node ${process.versions.node}.`,
  );
  process.exit(1);
}

const child = spawn(node, process.argv.slice(2), {
  stdio: 'inherit',
  // What the file starts by the name "node" is to be the same.
  env: { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) },
});
// A terminal's Ctrl-C reaches both by itself; any other signal is passed on.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm signals the shell that it started this in, which ends without a word to anybody: its end is the signal then.
const shell = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid === shell || child.kill('SIGTERM'), 200).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
