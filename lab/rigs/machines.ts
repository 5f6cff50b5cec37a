/**
 * A simulated machine: a folder, and every process whose working folder it is. A process group would not do, since each
 * process of PostgreSQL starts a new session; but none leaves its working folder.
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
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Account } from '../../server/testing/postgres-programs.ts';

export type Machine = {
  name: string;
  folder: string;
  logFile: string;
  /** Runs the machine's processes; undefined: the account of the test. */
  account: Account | undefined;
};

/** Creates the machine's folder in `parent`, and names its log file beside it. */
export function createMachine(parent: string, name: string, account?: Account): Machine {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  return { name, folder, logFile: join(parent, `${name}.log`), account };
}

/** Starts a program on the machine, detached from the terminal, so that Ctrl-C reaches the test alone. */
export function startProgram(
  { folder, logFile, account }: Machine,
  program: string,
  ...args: readonly string[]
): void {
  const output = openSync(logFile, 'a');
  const child = spawn(program, args, {
    ...account,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  // The caller waits until the program responds, and so notices that it did not start.
  child.on('error', () => {});
  child.unref();
}

/** @returns the ids of the processes whose working folder is this one, or below it. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => `${workingFolder(id)}${sep}`.startsWith(folder + sep))
    .map(Number);
}

function workingFolder(processId: string): string {
  try {
    return readlinkSync(`/proc/${processId}/cwd`);
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

/** Kills every process of the machine with SIGKILL, as a power cut would. @throws when some are still there after 5 s. */
export async function killMachine({ folder }: Pick<Machine, 'folder'>): Promise<void> {
  // Repeated, since a process may have started another one meanwhile.
  for (let tries = 0; tries < 500; tries += 1) {
    const processIds = processesIn(folder);
    if (processIds.length === 0) return;
    for (const id of processIds) kill(id);
    await pause(10);
  }
  throw new Error(`processes in ${folder} survive kill -9`);
}

/** Removes the shared memory segment that a killed PostgreSQL leaves behind. Its lock file contains the segment's id. */
export async function removeSharedMemory(databaseFolder: string): Promise<void> {
  const lockFile = join(databaseFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const segment = readFileSync(lockFile, 'utf8').split('\n')[6]?.trim().split(/\s+/)[1];
  // The command fails if the server has removed the segment itself.
  if (segment) await promisify(execFile)('ipcrm', ['-m', segment]).catch(() => {});
}

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // The process has ended by itself.
  }
}

/** Waits until the condition holds. @param what names it in the error. @throws after `timeoutMs`. */
export async function waitFor(
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await pause(100);
  }
}

/** @returns the status of a GET; 0 when there is no response within two seconds. */
export async function statusOf(address: string): Promise<number> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
