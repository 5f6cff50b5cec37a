/** The programs that the test needs. On Debian as root, what is missing is installed. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export type Programs = {
  etcd: string;
  patroni: string;
  haproxy: string;
  /** The folder of PostgreSQL's own programs. */
  postgresBin: string;
};

/** Who runs a process; undefined: whoever runs the test. */
export type Account = { uid: number; gid: number } | undefined;

const packages = ['postgresql', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy'] as const;

export const howToInstall =
  'The failover test runs on Linux with etcd, Patroni (with its etcd client), HAProxy and PostgreSQL ' +
  `(on Debian, as root: apt-get install ${packages.join(' ')}).`;

/** @throws with what to install, when something is missing and cannot be installed here. */
export async function providePrograms(): Promise<Programs> {
  const found = findPrograms();
  if (found) return found;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) throw new Error(howToInstall);
  console.log(`Installing what is missing: ${packages.join(' ')}`);
  await withoutStartingServices(async () => {
    await aptGet('update');
    await aptGet('install', '--yes', '--no-install-recommends', ...packages);
  });
  const installed = findPrograms();
  if (!installed) throw new Error(howToInstall);
  return installed;
}

function findPrograms(): Programs | undefined {
  const [etcd, patroni, haproxy] = ['etcd', 'patroni', 'haproxy'].map(findProgram);
  const postgresBin = findPostgresBin();
  return etcd && patroni && haproxy && postgresBin ? { etcd, patroni, haproxy, postgresBin } : undefined;
}

function findProgram(name: string): string | undefined {
  const folders = ['/usr/bin', '/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Debian keeps each major version in a folder of its own; elsewhere all of it is on the path. */
function findPostgresBin(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const bins = (existsSync(debian) ? readdirSync(debian) : [])
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(debian, version, 'bin'));
  return [...bins, ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')].find(
    (bin) => ['postgres', 'initdb', 'pg_rewind'].every((name) => isProgram(join(bin, name))),
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function aptGet(...args: string[]): Promise<void> {
  const child = spawn('apt-get', ['-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`apt-get ${args[0]} did not succeed. ${howToInstall}`);
}

/** Debian's packages start their services as they are installed, unless this file says no (invoke-rc.d(8)). */
async function withoutStartingServices(install: () => Promise<void>): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return install();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const restore = () => rmSync(policy, { force: true });
  process.on('exit', restore);
  try {
    await install();
  } finally {
    restore();
    process.off('exit', restore);
  }
}

/** PostgreSQL refuses to run as root: there it and its keepers run as the user of Debian's package. */
export function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres');
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no user "postgres"');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** A line each, as the program itself tells it. */
export async function readVersions(programs: Programs): Promise<[string, string][]> {
  const tell = async (program: string, arg: string) => {
    const { stdout } = await promisify(execFile)(program, [arg]);
    return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim();
  };
  return [
    ['PostgreSQL', await tell(join(programs.postgresBin, 'postgres'), '--version')],
    ['Patroni', await tell(programs.patroni, '--version')],
    ['etcd', await tell(programs.etcd, '--version')],
    ['HAProxy', await tell(programs.haproxy, '-v')],
    ['Node', process.versions.node],
  ];
}
