/** The processes that are measured, each as in production. */

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { type ServerProcess, startServer } from '../../server/testing/server-process.ts';
import {
  externalProvider,
  type StoreProcessOptions,
  serveArguments,
  startStore,
} from '../../server/testing/store-process.ts';
import type { Bench } from './bench.ts';
import type { Engine, FilledDatabase } from './databases.ts';
import { identityPaths } from './identity-provider.ts';
import type { BareResponse } from './limits/http-server.ts';
import { writeNginxFiles } from './limits/nginx.ts';
import { fillPeer } from './peers/express-pg/tables.ts';

/** @returns the store's name in the report. */
export const storeOn = (engine: Engine): string => `Colophon on ${engine}`;
/** The name of the Express server in the report. */
export const peerName = 'Express + pg';

/**
 * Starts the store as `npm run serve` does, without the demo. The load comes from one client, so no limit applies to it.
 * @param logFile gets the log, at level `info`.
 * @param settings in addition to these.
 * @param program runs the store in place of this Node.
 */
export const startMeasuredStore = (
  databaseUrl: string,
  logFile: string,
  settings: Readonly<Record<string, string>> = {},
  program: Pick<StoreProcessOptions, 'program' | 'nodeArguments'> = {},
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
      ...program,
      readyPath: paths.books,
      workingFolder: dirname(logFile),
      logFile,
    },
  );

/** Starts a store on a database of each engine. @param section for the table of memory. */
export async function startStores(
  bench: Bench,
  databases: Readonly<Record<Engine, Pick<FilledDatabase, 'url'>>>,
  section: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Record<Engine, ServerProcess>> {
  const log = join(bench.databases.folder, 'store.log');
  const start = (engine: Engine) =>
    bench.start(startMeasuredStore(databases[engine].url, log, settings), `${storeOn(engine)}, ${section}`);
  return { SQLite: await start('SQLite'), PostgreSQL: await start('PostgreSQL') };
}

/** Starts the Express server with the same books and sessions as another database. */
export async function startFilledPeer(bench: Bench, like: FilledDatabase, section: string) {
  const url = await createPeerDatabase(bench, like, section);
  return { ...(await bench.start(startPeer(url), `${peerName}, ${section}`)), url };
}

/** @returns the URL of a new database. */
export async function createPeerDatabase(
  { databases }: Bench,
  like: FilledDatabase,
  section: string,
): Promise<string> {
  const url = await databases.createOnPostgres(`peer_${section}`);
  await fillPeer(url, like.newestBooks, [...like.buyers, like.regular]);
  return url;
}

/** Starts the Express server. */
export async function startPeer(databaseUrl: string): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'peers', 'express-pg', 'server.ts')],
    environment: { PORT: String(port), DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    port,
    readyPath: paths.books,
  });
}

/** Starts the bare server. @param file for the responses; it is overwritten. */
export async function startBareServer(
  responses: readonly BareResponse[],
  file: string,
): Promise<ServerProcess> {
  writeFileSync(file, JSON.stringify(responses));
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'limits', 'http-server.ts')],
    environment: { PORT: String(port), RESPONSES_FILE: file, NODE_ENV: 'production' },
    port,
    readyPath: paths.health,
  });
}

/** Starts the server that inserts orders and does nothing else. */
export async function startInsertServer(databaseUrl: string): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'limits', 'insert-server.ts')],
    environment: { PORT: String(port), DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    port,
    readyPath: paths.health,
  });
}

/** Starts nginx. @param program its file. @param folder for its configuration and the responses. */
export async function startNginx(
  program: string,
  responses: readonly BareResponse[],
  folder: string,
): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    program,
    nodeArguments: ['-p', folder, '-e', 'stderr', '-c', writeNginxFiles(responses, port, folder)],
    environment: {},
    port,
    readyPath: paths.health,
  });
}

/** Starts the identity provider of the measured sign-ins. */
export async function startIdentityProvider(): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'identity-provider.ts')],
    environment: { PORT: String(port), CLIENT_ID: externalProvider.OIDC_CLIENT_ID },
    port,
    readyPath: identityPaths.discovery,
  });
}
