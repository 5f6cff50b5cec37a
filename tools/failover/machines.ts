/**
 * A machine of the test is a folder and every process that works in it: PostgreSQL puts each of its processes into a
 * session of its own, so that no process group holds them all, but none leaves its folder.
 */

import { execFile, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Account } from './programs.ts';

export type Machine = { name: string; folder: string; log: string; account: Account };

export type Command = { program: string; args: readonly string[]; env?: Readonly<Record<string, string>> };

export function makeMachine(parent: string, name: string, account: Account): Machine {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  return { name, folder, log: join(parent, `${name}.log`), account };
}

/** Starts a program on the machine, detached from the terminal, so that Ctrl-C reaches nothing but the test. */
export function startOn({ folder, log, account }: Machine, { program, args, env = {} }: Command): void {
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    ...account,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', ...env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  // Whoever waits for the program to answer notices that it never started.
  child.on('error', () => {});
  child.unref();
}

/** Every process that works in the folder, or below it. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      const at = workingFolder(id);
      return at === folder || at.startsWith(folder + sep);
    })
    .map(Number);
}

function workingFolder(processId: string): string {
  try {
    return readlinkSync(`/proc/${processId}/cwd`);
  } catch {
    // It has ended, or is somebody else's.
    return '';
  }
}

/** As a power cut does: every process at once, without a chance to say goodbye. */
export async function killMachine({ folder }: Pick<Machine, 'folder'>): Promise<void> {
  // More than once: something may have been started in between.
  for (let round = 0; round < 500; round += 1) {
    const alive = processesIn(folder);
    if (alive.length === 0) return;
    for (const id of alive) signal(id, 'SIGKILL');
    await pause(10);
  }
  throw new Error(`processes in ${folder} outlive kill -9`);
}

/** A PostgreSQL that was killed leaves a segment of shared memory behind, whose id stands in its lock file. */
export async function removeSharedMemory(databaseFolder: string): Promise<void> {
  const lockFile = join(databaseFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const segment = readFileSync(lockFile, 'utf8').split('\n')[6]?.trim().split(/\s+/)[1];
  // Gone already, where the server stopped by itself in between.
  if (segment) await promisify(execFile)('ipcrm', ['-m', segment]).catch(() => {});
}

function signal(processId: number, name: NodeJS.Signals): void {
  try {
    process.kill(processId, name);
  } catch {
    // It has ended by itself.
  }
}

/**
 * Ports that nothing listens on. Below those that the system gives to outgoing connections: a killed machine's port must
 * stay free for its return, whatever the others connect to meanwhile.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count && attempt < 50 * count; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count) throw new Error('there are not enough free ports from 20000 to 32000');
  return [...found];
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** @throws after `withinMs`, naming what was waited for. */
export async function waitFor(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  withinMs: number,
  everyMs = 100,
): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await pause(everyMs);
  }
}

/** @returns the status of a GET, or 0 when there was no answer within two seconds. */
export async function statusOf(address: string): Promise<number> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
