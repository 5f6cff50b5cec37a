/** Runs a program of the laboratory, a package of its own, which it installs first where that is missing or older than its lock. */

import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const lab = join(root, 'lab');
const changedAt = (file: string): number =>
  statSync(join(lab, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** npm writes the second file at the end of each installation. */
const isInstalled = (): boolean =>
  changedAt('node_modules/.package-lock.json') > changedAt('package-lock.json');

async function run(program: string, args: readonly string[], options: SpawnOptions): Promise<number> {
  const child = spawn(program, args, options);
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const [exitCode] = await once(child, 'exit');
  return exitCode ?? 1;
}

function install(): Promise<number> {
  console.error('Installing the packages of lab/, once.');
  // The npm that started this process may belong to another Node than the one on the PATH.
  const npm = process.env['npm_execpath'];
  const [program, ...script] = npm ? [process.execPath, npm] : ['npm'];
  return run(program, [...script, 'ci'], { cwd: lab, stdio: ['inherit', 2, 2] });
}

process.exitCode = isInstalled() ? 0 : await install();
if (process.exitCode === 0) {
  const [file = '', ...args] = process.argv.slice(2);
  process.exitCode = await run(process.execPath, [join(lab, file), ...args], { stdio: 'inherit' });
}
