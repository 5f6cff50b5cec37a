/** A real PgBouncer in transaction mode for tests, in front of a PostgreSQL server. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { unprivilegedAccount } from '../../server/testing/postgres-programs.ts';
import { findProgram } from '../../server/testing/programs.ts';

export type PgBouncer = Awaited<ReturnType<typeof startPgBouncer>>;

export const hasPgBouncer = findProgram('pgbouncer') !== undefined;
/** Why a test is skipped on a machine without it. */
export const pgBouncerIsMissing = 'PgBouncer is not installed (on Debian: apt-get install pgbouncer)';

/**
 * Starts PgBouncer with its own defaults for everything but what the test names.
 * @param poolSize how many connections to the server each database has.
 * @throws when it does not start.
 */
export async function startPgBouncer(serverUrl: string, { poolSize = 20 }: { poolSize?: number } = {}) {
  const program = findProgram('pgbouncer');
  if (!program) throw new Error(pgBouncerIsMissing);
  const server = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'colophon-pgbouncer-'));
  // It runs as another user, which reads these files.
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const [users, configuration] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  await writeFile(users, `"${server.username}" ""\n`);
  const text = `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
admin_users = ${server.username}
pool_mode = transaction
default_pool_size = ${poolSize}
`;
  await writeFile(configuration, text);
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = spawn(program, [configuration], { ...unprivilegedAccount(), stdio: [...stdio] });
  const exit = once(child, 'exit');
  let log = '';
  const isUp = new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('process up')) resolve();
    });
    void exit.then(() => reject(new Error(`PgBouncer ended while it started:\n${log}`)));
  });
  await isUp;
  return {
    /** @returns the URL of a database of the server, by way of PgBouncer. */
    urlOf: (databaseUrl: string) => Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    async stop() {
      // SIGTERM closes all connections at once; SIGINT would wait for them.
      child.kill('SIGTERM');
      await exit;
      await rm(folder, { recursive: true });
    },
  };
}
