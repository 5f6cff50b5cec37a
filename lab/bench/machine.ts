/** The machine and the versions of a measurement, for the report. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { cpus, release, totalmem, type } from 'node:os';

export type Machine = {
  processor: string;
  cores: number;
  memoryGiB: number;
  system: string;
  fileSystem: string;
  versions: Readonly<Record<string, string>>;
  date: string;
};

/**
 * @param postgresVersion as `startPostgres` returns it.
 * @param fileSystem of the databases.
 * @param programs files of other programs; undefined for one that is not installed.
 */
export function describeMachine(
  postgresVersion: string,
  fileSystem: string,
  programs: Readonly<Record<string, string | undefined>>,
): Machine {
  const [first] = cpus();
  return {
    processor: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    fileSystem,
    versions: {
      'Node.js': process.versions.node,
      SQLite: process.versions['sqlite'] ?? 'unknown',
      PostgreSQL: postgresVersion.replace('PostgreSQL ', ''),
      fastify: versionOf('fastify'),
      kysely: versionOf('kysely'),
      pg: versionOf('pg'),
      express: versionOf('express'),
      compression: versionOf('compression'),
      ...versionsOfPrograms(programs),
    },
    date: new Date().toISOString().slice(0, 10),
  };
}

/** Each program prints its version for `-v`. */
const versionsOfPrograms = (programs: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(programs).flatMap(([name, program]) => {
      if (!program) return [];
      const { stdout, stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' });
      return [[name, /\d+(\.\d+)+/.exec(stdout + stderr)?.[0] ?? 'unknown']];
    }),
  );

/** @returns the version of an installed package. */
export function versionOf(name: string): string {
  const file = findPackageJSON(name, import.meta.url);
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}

/**
 * Reads Linux's /proc, which counts processor time in hundredths of a second.
 * @returns the seconds that a process and those that it started have used; undefined on other systems.
 */
export function processorSeconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime and stime of the process, and cutime and cstime, those of its children that have ended (proc(5)).
    const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100;
    return childrenOf(pid).reduce((sum, child) => sum + (processorSeconds(child) ?? 0), own);
  } catch {
    return undefined;
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

/** @returns the resident memory of a process, now and at its most so far; undefined on other systems than Linux. */
export function memoryBytes(pid: number): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
    return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
  } catch {
    return undefined;
  }
}
