/** PostgreSQL's own programs, which write and read its backups. */

import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import pg from 'pg';
import { StartError } from '../../start-error.ts';

type PostgresProgram = 'pg_dump' | 'pg_restore';

/** @returns the major version of the program in PATH. @throws {StartError} if it is missing, or older than the server. */
export async function checkProgram(program: PostgresProgram, serverMajor: number): Promise<number> {
  const { stdout } = await promisify(execFile)(program, ['--version']).catch(() => ({ stdout: '' }));
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  const needed = `install the client programs of PostgreSQL ${serverMajor} or later`;
  if (Number.isNaN(major)) throw new StartError(`PostgreSQL’s ${program} is not in PATH: ${needed}.`);
  if (major >= serverMajor) return major;
  throw new StartError(`${program} is of PostgreSQL ${major}, and the server of ${serverMajor}: ${needed}.`);
}

type RunningProgram = ChildProcessByStdio<null, Readable, Readable> & { errors: string };

/** Starts a program. Where it connects to is in the environment: other users can read arguments, and there is a password. */
export function startProgram(
  program: PostgresProgram,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProgram {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const running = Object.assign(child, { errors: '' });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (running.errors.length < 10_000) running.errors += text;
  });
  return running;
}

/** @throws {StartError} with the first error of a program that failed. */
export async function endOf(program: PostgresProgram, child: RunningProgram): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  if (child.exitCode === 0) return;
  const lines = child.errors.split('\n').filter((line) => line !== '');
  const first =
    lines.find((line) => /error|fatal/i.test(line)) ??
    lines[0] ??
    `exit code ${child.exitCode ?? child.signalCode}`;
  throw new StartError(`${program} failed (${first.replace(/^\w+: (error: )?/, '')}).`);
}

/** The file in which Debian and others keep the certificates of public authorities: PostgreSQL's clients do not look there. */
const systemCertificates = '/etc/ssl/certs/ca-certificates.crt';

/**
 * @param major of the program: since 16 it knows the system's certificates.
 * @returns what the programs read from the environment, for the same connection as the store's: `pg` checks the certificate also
 * with the modes that they do not check it with.
 */
export function connectionEnvironment(url: string, major: number): Record<string, string> {
  const { host, port, user, database, password } = new pg.Client({ connectionString: url });
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'require' : undefined);
  const isLibpqMode = searchParams.get('uselibpqcompat') === 'true';
  const checked = mode && !isLibpqMode && /^(prefer|require|verify-ca)$/.test(mode) ? 'verify-full' : mode;
  const certificates = major >= 16 ? 'system' : existsSync(systemCertificates) && systemCertificates;
  const values = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    PGPASSWORD: password,
    PGSSLMODE: checked === 'no-verify' ? 'require' : checked,
    PGSSLROOTCERT: searchParams.get('sslrootcert') ?? (checked === 'verify-full' && certificates),
    PGSSLCERT: searchParams.get('sslcert'),
    PGSSLKEY: searchParams.get('sslkey'),
  };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
