import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { deskAddress } from '../contract/desk/paths.ts';
import { paths } from '../contract/paths.ts';
import { rendererFile } from '../contract/rendered-page.ts';
import { sweepActivity } from './activity/activity.ts';
import { buildApp } from './app.ts';
import { indexBooks } from './catalogue/index-books.ts';
import { sweepErasures } from './customers/erase-customer.ts';
import { openDatabase, whenAvailable } from './database/open.ts';
import { explained } from './database/open-error.ts';
import type { Db } from './database/tables.ts';
import { openProcessLog } from './http/log.ts';
import { imageFault } from './images/image-worker.ts';
import { sweepImages } from './images/images.ts';
import { openBackupReminder } from './mail/backup-reminder.ts';
import { type Mail, openMailSender, unsentMail } from './mail/mail.ts';
import { checkCurrency } from './orders/check-currency.ts';
import { sweepOutbox } from './outbox/due.ts';
import type { Settings } from './settings/settings.ts';
import { settingsWarnings } from './settings/warnings.ts';
import { sweepAttempts } from './sign-in/attempts.ts';
import { signInProvider } from './sign-in/provider.ts';
import { endSessionsOfOtherIssuers, sweepSessions } from './sign-in/sessions.ts';
import { checkPort, listenError, StartError } from './start-error.ts';
import { openEndpoint } from './webhooks/endpoint.ts';
import { noWebhooks, openWebhookSender, type Webhooks } from './webhooks/sender.ts';

const pagesFolder = join(import.meta.dirname, '..', 'dist');
const sweepIntervalMs = 60 * 60 * 1000;
/** The interval at which the progress of a long indexing is logged. */
const indexingLogMs = 2_000;

/** @returns a function that stops the store. @throws {StartError} for a cause that settings or a command can remove. */
export async function openStore(settings: Settings): Promise<(signal: NodeJS.Signals) => Promise<void>> {
  if (!['index.html', rendererFile].every((file) => existsSync(join(pagesFolder, file)))) {
    throw new StartError('The pages are not built yet. `npm run build` builds them.');
  }
  const { log, print } = openProcessLog(settings);
  for (const warning of settingsWarnings(settings, process.env)) log.warn(warning);

  await checkPort(settings);
  const callbackUrl = new URL(paths.signInCallback, settings.publicUrl);
  const identity = await openIdentity(settings, { callbackUrl, log });
  const { startTimeoutMs, adminClaim, hasDelivery: asksForAddress } = settings;
  // Until the database is there, nothing listens on the port, so a balancer sends no requests here: the store could answer none.
  const attempt = <Result>(call: () => Promise<Result>): Promise<Result> =>
    explained(settings.database, () =>
      whenAvailable(call, settings.database, {
        startTimeoutMs,
        onWaiting: (cause) =>
          log.warn(`waiting up to ${startTimeoutMs / 1_000} s for the database. ${cause}`),
        onAvailable: (waitedMs) => log.info({ waitedMs: Math.round(waitedMs) }, 'the database is available'),
      }),
    );
  const database = await attempt(() =>
    openDatabase(settings.database, {
      onError: (error) => log.warn({ err: error }, 'a database connection broke'),
      onListener: (message) => log.warn(message),
      onWarning: (warning) => log.warn(warning),
      onMigration: (migration) => log.info({ migration }, 'applying a migration; a stop undoes it'),
      onMigrated: (migrations) =>
        log.info({ migrations: migrations.length }, 'brought the tables up to date'),
    }),
  );
  await attempt(() => identity.prepareCatalogue(database.db));
  await attempt(() => indexOldBooks(database.db, log));
  await attempt(() => checkCurrency(database.db, settings.currency));
  const mail = await openMail(settings, database.db, log);
  const webhooks = openWebhooks(settings, database.db, log);
  const app = await buildApp({
    database,
    mail,
    webhooks,
    provider: signInProvider({ ...identity.provider, callbackUrl, adminClaim, asksForAddress }),
    providerName: identity.provider.name,
    settings: { ...settings, shopNote: settings.shopNote ?? identity.shopNote },
    pages: { folder: pagesFolder, isRebuilt: settings.isDeveloping },
    log,
  });
  // The app is ready only when its sign-in is ready.
  app.addHook('onReady', async () => identity.hasOpened);
  const { host, port, isDemo } = settings;
  // The host is resolved first: for the name `localhost` the framework would open a second server, without the cache and the limits.
  const listening = lookup(host).then(({ address }) => app.listen({ port, host: address }));
  await listening.catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { host, port, portSetting: 'PORT' });
  });
  if (isDemo) print('Demo mode: anyone on this machine can sign in as anyone, without a password.');
  print(openSentence(settings));
  // Images are checked only now, because a shop can sell without pictures. The check has its own process: a crash must not end the store.
  void imageFault().then((fault) => fault && log.error(fault));
  const stopSweeping = sweepRegularly(database.db, identity.provider.issuer, { mail, log });

  return async (signal) => {
    log.info({ signal }, 'stopping');
    const sweepHasEnded = stopSweeping();
    await app.close();
    await Promise.all([mail.close(), webhooks.close()]);
    await sweepHasEnded;
    identity.close();
    await database.close();
    log.info('stopped');
  };
}

function openSentence({ storeName, publicUrl: { origin }, database }: Settings): string {
  const { host, pathname } = database.engine === 'postgres' ? new URL(database.url) : {};
  const place = database.engine === 'sqlite' ? database.file : `PostgreSQL at ${host}${pathname}`;
  return `${storeName} is open: ${origin} (desk: ${origin}${deskAddress}, database: ${place})`;
}

/** The provider that customers sign in with. The demo's is started here, before all else: its start takes as long as that of the rest. */
async function openIdentity(settings: Settings, parts: { callbackUrl: URL; log: Logger }) {
  const { identity } = settings;
  if (identity.mode === 'demo') {
    // Imported only here: a shop with its own provider does not load what the demo needs.
    const { openDemo } = await import('./demo/demo.ts');
    return openDemo(settings, { ...parts, port: identity.port });
  }
  const prepareCatalogue = (db: Db) => leaveDemo(db, parts.log);
  const { provider } = identity;
  return { provider, prepareCatalogue, hasOpened: undefined, shopNote: undefined, close() {} };
}

async function openMail(settings: Settings, db: Db, log: Logger): Promise<Mail> {
  const { mail, sender, identity } = settings;

  if (!mail || identity.mode === 'demo') {
    return unsentMail(identity.mode === 'demo' ? 'shown' : 'off', sender);
  }
  // Imported only here: a store without mail does not load what sends it.
  const { openTransport } = await import('./mail/transport.ts');
  const { url, sendsUnverified } = mail;
  return openMailSender({ db, sender, sendsUnverified, transport: openTransport(url), log });
}

const openWebhooks = ({ webhook }: Settings, db: Db, log: Logger): Webhooks =>
  webhook ? openWebhookSender({ db, endpoint: openEndpoint(webhook), log }) : noWebhooks;

/** Indexes books before the store listens: without it a search would miss books of an older version. */
async function indexOldBooks(db: Db, log: Logger): Promise<void> {
  let loggedAt = performance.now();
  const books = await indexBooks(db, {
    onProgress(done, all) {
      if (performance.now() - loggedAt < indexingLogMs) return;
      loggedAt = performance.now();
      const message = 'indexing the books for the search; a stop interrupts it, and the next start goes on';
      log.info({ done, all }, message);
    },
  });
  if (books > 0) log.info({ books }, 'indexed the books for the search');
}

async function leaveDemo(db: Db, log: Logger): Promise<void> {
  const { removeDemoBooks } = await import('./demo/catalogue.ts');
  const books = await removeDemoBooks(db);
  if (books > 0) log.warn({ books }, 'removed the demo books: this store has a provider of its own');
}

/** @returns a function that stops the regular tasks, and waits for running ones, which need the database. */
function sweepRegularly(
  db: Db,
  providerIssuer: string,
  { mail, log }: { mail: Mail; log: Logger },
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const endForeignSessions = async (): Promise<void> => {
    const sessions = await endSessionsOfOtherIssuers(db, providerIssuer);
    if (sessions > 0) log.warn({ sessions }, 'ended the sessions that began under another identity provider');
  };
  const removals = [sweepSessions, sweepAttempts, sweepImages, sweepActivity, sweepErasures, sweepOutbox];
  const sweep = async (...tasks: readonly ((db: Db) => Promise<void>)[]): Promise<void> => {
    for (const task of tasks) {
      if (signal.aborted) return;
      // A failed task must not stop the other tasks.
      await task(db).catch((error: unknown) => {
        log.error({ err: error, step: task.name }, 'a regular task failed; it is tried again within an hour');
      });
    }
  };
  let sweeping = sweep(endForeignSessions, ...removals);
  // The first run is not at the start: a store that restarts again and again would write each time.
  const remindOfBackup = openBackupReminder(mail);
  const timer = setInterval(() => {
    sweeping = sweep(...removals, remindOfBackup);
  }, sweepIntervalMs);
  return () => {
    stopping.abort();
    clearInterval(timer);
    return sweeping;
  };
}
