/** The process: settings, database, app, listen, close. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Logger, pino } from 'pino';
import { paths } from '../contract/paths.ts';
import { buildApp } from './app.ts';
import { openDatabase } from './database/open.ts';
import { openFault } from './database/open-fault.ts';
import type { Db } from './database/tables.ts';
import { sweepImages } from './images/images.ts';
import {
  type ExternalProvider,
  readSettings,
  type Settings,
  SettingsError,
  settingsWarnings,
} from './settings.ts';
import { signInProvider } from './sign-in/provider.ts';
import { endSessionsOfPlainHttp, sweepSessions } from './sign-in/sessions.ts';
import { listenError, StartError } from './start-error.ts';

const pagesFolder = join(import.meta.dirname, '..', 'dist');
const sweepEveryMs = 60 * 60 * 1000;
/** How long requests in flight may take to finish once the process is told to stop. */
const stopWithinMs = 10_000;

/** @returns what stops the store: no new requests, those in flight finish, the database closes. */
async function openStore(settings: Settings): Promise<() => Promise<void>> {
  if (!existsSync(join(pagesFolder, 'index.html'))) {
    throw new StartError('The pages are not built yet. `npm run build` builds them.');
  }
  const log = pino({ level: settings.logLevel });
  for (const warning of settingsWarnings(settings)) log.warn(warning);
  const { storeName, publicUrl, adminEmails, allowedOrigins, trustedProxies, apiHost } = settings;
  const callbackUrl = new URL(paths.signInCallback, publicUrl);

  await checkPort(settings);
  const database = await openDatabase(settings.database, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  ).catch((error: unknown) => {
    const fault = openFault(error, settings.database);
    throw fault === undefined ? error : new StartError(`DATABASE_URL: ${fault}`);
  });
  const { db } = database;
  if (settings.provider) await leaveDemo(settings.provider, db, log);
  // Loaded when it is wanted: a store with a provider of its own needs none of what the demo brings along.
  const { openDemo } = settings.provider ? { openDemo: undefined } : await import('./demo/demo.ts');
  const demo = await openDemo?.({ settings, db, callbackUrl, log });
  const identityProvider = settings.provider ?? demo?.provider;
  if (!identityProvider) throw new Error('there is neither a provider nor a demo');

  const app = await buildApp({
    database,
    provider: signInProvider({ ...identityProvider, callbackUrl }),
    store: {
      name: storeName,
      providerName: identityProvider.name,
      apiHost,
      imageHost: settings.imageHost ?? { url: apiHost + paths.upload, key: 'colophon' },
    },
    publicUrl,
    adminEmails,
    allowedOrigins,
    trustedProxies,
    pages: { folder: pagesFolder, isRebuilt: settings.isDeveloping },
    log,
  });
  await app.listen({ port: settings.port, host: settings.host }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { ...settings, portSetting: 'PORT' });
  });
  process.stdout.write(`${storeName} is open: ${publicUrl.origin}\n`);
  await demo?.drawCovers();

  const sweep = () =>
    Promise.all([sweepSessions(db), sweepImages(db)]).catch((error: unknown) => {
      log.error({ err: error }, 'what is no longer needed could not be removed');
    });
  sweep();
  const sweeping = setInterval(sweep, sweepEveryMs);

  return async () => {
    clearInterval(sweeping);
    await app.close();
    demo?.close();
    await database.close();
  };
}

/** Before anything is opened: a second start is to name this port, and not what else it would find taken. */
async function checkPort({ port, host }: Settings): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { port, host, portSetting: 'PORT' });
  });
  probe.close();
  await once(probe, 'close');
}

/** What was tried out in demo mode does not go on in a real shop: nobody stays signed in, and no demo book is for sale. */
async function leaveDemo({ issuer }: ExternalProvider, db: Db, log: Logger): Promise<void> {
  if (issuer.startsWith('https:')) await endSessionsOfPlainHttp(db);
  const { removeDemoBooks } = await import('./demo/catalogue.ts');
  const books = await removeDemoBooks(db);
  if (books > 0) {
    log.warn({ books }, 'the demo books were taken off the shelf: this store has a provider of its own');
  }
}

function stopOnSignals(close: () => Promise<void>): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
}

function fail(error: unknown): never {
  const isMendable = error instanceof StartError || error instanceof SettingsError;
  process.stderr.write(`${isMendable ? error.message : inspect(error)}\n`);
  process.exit(1);
}

try {
  stopOnSignals(await openStore(readSettings(process.env)));
} catch (error) {
  fail(error);
}
