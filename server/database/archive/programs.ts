/** PostgreSQL's own programs, which write and read its backups. */

import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import pg from 'pg';
import { StartError } from '../../start-error.ts';

type PostgresProgram = 'pg_dump' | 'pg_restore';

/**
 * @param serverMajor the server's major version, such as 17.
 * @returns the major version of the program in PATH.
 * @throws {StartError} if it is missing, or older than the server.
 */
export async function checkProgram(program: PostgresProgram, serverMajor = 0): Promise<number> {
  const found = await promisify(execFile)(program, ['--version']).catch(() => ({ stdout: '' }));
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(found.stdout)?.[1] ?? Number.NaN);
  const needed = `install the client programs of PostgreSQL${serverMajor === 0 ? '' : ` ${serverMajor} or later`}`;
  if (Number.isNaN(major)) throw new StartError(`PostgreSQL’s ${program} is not in PATH: ${needed}.`);
  if (major < serverMajor) {
    throw new StartError(
      `${program} is of PostgreSQL ${major}, and the server of ${serverMajor}: ${needed}.`,
    );
  }
  return major;
}

/** A program that runs. Its standard error is kept, for {@link endOf}. */
type RunningProgram = ChildProcessByStdio<null, Readable, null> & { errors: string };

/** Starts a program. Where it connects to is in the environment: other users can read arguments, and there is a password. */
export function startProgram(
  program: PostgresProgram,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = Object.assign(child, { errors: '' }) as unknown as RunningProgram;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (running.errors.length < 10_000) running.errors += text;
  });
  return running;
}

/** Waits until a program has ended. @throws {StartError} with its first error if it failed. */
export async function endOf(program: PostgresProgram, child: RunningProgram): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const [exitCode] = hasEnded ? [child.exitCode ?? child.signalCode] : await once(child, 'close');
  if (exitCode === 0) return;
  const lines = child.errors.split('\n').filter((line) => line !== '');
  const first = lines.find((line) => /error|fatal/i.test(line)) ?? lines[0] ?? `exit code ${exitCode}`;
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
  const ownCertificates = major >= 16 ? 'system' : systemCertificates;
  const hasOwn = major >= 16 || existsSync(systemCertificates);
  const root =
    searchParams.get('sslrootcert') ?? (checked === 'verify-full' && hasOwn ? ownCertificates : null);
  const values: Record<string, string | null | undefined> = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    PGPASSWORD: typeof password === 'string' ? password : undefined,
    PGSSLMODE: checked === 'no-verify' ? 'require' : checked,
    PGSSLROOTCERT: root,
    PGSSLCERT: searchParams.get('sslcert'),
    PGSSLKEY: searchParams.get('sslkey'),
  };
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(given);
}
