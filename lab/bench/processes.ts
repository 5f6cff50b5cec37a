/** The processes that are measured. */

import { dirname, join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import {
  externalProvider,
  type ServerProcess,
  serveArguments,
  startServer,
  startStore,
} from '../../server/testing/server-process.ts';
import type { Bench } from './bench.ts';
import type { Engine, FilledDatabase } from './databases.ts';

/**
 * Starts the store as `npm run serve` does, without the demo. The load comes from one client, so no limit applies to it.
 * @param logFile gets the log, at level `info`.
 * @param settings in addition to these.
 */
export const startMeasuredStore = (
  databaseUrl: string,
  logFile: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> =>
  startStore(
    {
      ...externalProvider,
      DATABASE_URL: databaseUrl,
      NODE_ENV: 'production',
      SHOP_EMAIL: 'service@shop.example',
      RATE_LIMITS: 'off',
      // tools/node24.mjs sets this value too.
      MALLOC_ARENA_MAX: '1',
      ...settings,
    },
    {
      nodeArguments: serveArguments(),
      readyPath: paths.books,
      workingFolder: dirname(logFile),
      logFile,
    },
  );

/** Starts a store on a database of each engine. */
export async function startStores(
  { folder, start }: Bench,
  databases: Readonly<Record<Engine, FilledDatabase>>,
): Promise<Record<Engine, ServerProcess>> {
  const startOn = ({ url }: FilledDatabase) => start(startMeasuredStore(url, join(folder, 'store.log')));
  return { SQLite: await startOn(databases.SQLite), PostgreSQL: await startOn(databases.PostgreSQL) };
}

/** Starts a server that does the least that a call costs. @param file in limits/. */
export async function startLimit(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'limits', file)],
    environment: { PORT: String(port), NODE_ENV: 'production', ...environment },
    port,
    readyPath: paths.health,
  });
}
