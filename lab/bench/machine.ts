/** The machine and the versions of a measurement, and what a process uses of it. */

import { readdirSync, readFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';

/** @param postgresVersion as `startPostgres` returns it. @returns two sentences. */
export function describeMachine(postgresVersion: string): string {
  const machine = [
    cpus()[0]?.model.trim() ?? 'unknown processor',
    `${cpus().length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    type(),
  ];
  const versions = [
    `Node.js ${process.versions.node}`,
    `SQLite ${process.versions['sqlite']}`,
    postgresVersion,
  ];
  return `${machine.join(', ')}. ${versions.join(', ')}.`;
}

/**
 * Reads Linux's /proc, which counts processor time in hundredths of a second.
 * @returns the seconds that a process and those that it started have used; not a number on other systems.
 */
export function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime, stime, cutime and cstime (proc(5)).
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
    return childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), own);
  } catch {
    return Number.NaN;
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

/** @returns the number in a line of Linux's /proc/…/status, such as VmRSS in KiB. */
export const statusOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
