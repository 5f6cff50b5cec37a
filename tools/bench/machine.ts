/** The machine and the versions of a measurement, for the report. */

import { readFileSync } from 'node:fs';
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

/** @param postgresVersion as `startPostgres` returns it. @param fileSystem of the databases. */
export function describeMachine(postgresVersion: string, fileSystem: string): Machine {
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
    },
    date: new Date().toISOString().slice(0, 10),
  };
}

function versionOf(name: string): string {
  const file = findPackageJSON(name, import.meta.url);
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}
