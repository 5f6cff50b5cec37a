import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { moneyIn } from '../../contract/price.ts';
import type { Db } from '../database/tables.ts';
import { demoPaymentKeys, type ExternalProvider, type Settings } from '../settings/settings.ts';
import { settingsTable } from '../settings/table.ts';
import { StartError } from '../start-error.ts';
import { demoNote } from './books.ts';
import { fillCatalogue } from './catalogue.ts';
import type { IdentityReport } from './identity-process.ts';
import type { IdentityProviderOptions } from './identity-provider.ts';

/** Every node has this secret, because it may use another node's provider. It protects nothing: anyone here may sign in as anyone. */
const client = { clientId: 'colophon', clientSecret: 'demo' };

/** Starts the identity provider, or uses another node's, without waiting for it. @throws {StartError} if the provider is not installed. */
export function openDemo(
  { host, publicUrl, storeName, currency }: Settings,
  { port, callbackUrl, log }: { port: number; callbackUrl: URL; log: FastifyBaseLogger },
) {
  checkIsInstalled();
  const issuer = `http://${publicUrl.hostname}:${port}`;
  const identityProcess = fork(new URL('./identity-process.ts', import.meta.url), { execArgv: [] });
  const options: IdentityProviderOptions = {
    ...{ ...client, issuer, host, port, storeName },
    ...{ storeOrigin: publicUrl.origin, redirectUri: callbackUrl.href },
    payments: { ...demoPaymentKeys, webhookUrl: `${publicUrl.origin}/payments/stripe` },
  };
  identityProcess.send(options);

  const onExit = () => log.error('the demo identity provider has ended');
  const hasOpened = reportOf(identityProcess).then((report) => {
    if ('fault' in report) throw new StartError(report.fault);
    identityProcess.on('exit', onExit);
    const isShared =
      'this node uses the demo identity provider of another node, and takes it over when that one stops';
    if (report.isShared) log.info(isShared);
  });
  // The caller reports a failure when it awaits the start, which may be later.
  hasOpened.catch(() => {});
  return {
    provider: { ...client, issuer, name: 'the demo provider' } satisfies ExternalProvider,
    hasOpened,
    prepareCatalogue: (db: Db) => fillCatalogue(db, moneyIn(currency).stepCents),
    shopNote: demoNote,
    close() {
      identityProcess.off('exit', onExit);
      if (identityProcess.connected) identityProcess.disconnect();
    },
  };
}

const reportOf = (child: ChildProcess): Promise<IdentityReport> =>
  new Promise((resolve) => {
    child.on('message', (message: object) => {
      // Under `--watch`, Node first sends messages of its own about loaded files.
      if ('isShared' in message || 'fault' in message) resolve(message as IdentityReport);
    });
    child.once('exit', () => resolve({ fault: 'the demo identity provider did not start' }));
  });

const settingsOfShop = [
  ...(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL', 'DATABASE_URL'] as const),
  ...(['ADMIN_EMAILS', 'SHOP_EMAIL', 'NODE_ENV'] as const),
];

/** The example file is in the packed store too, but hard to find there: messages name its path. */
const exampleFile = join(import.meta.dirname, '..', '..', '.env.example');

/** @returns why the demo cannot run: a shop's server may lack the development dependencies, such as the provider, or a checkout. */
export function demoFault(): string | undefined {
  try {
    import.meta.resolve('oidc-provider');
    return undefined;
  } catch {
    return 'it is unset, and the demo needs a checkout with its development dependencies (`npm ci --include=dev`).';
  }
}

function checkIsInstalled(): void {
  const fault = demoFault();
  if (fault === undefined) return;
  const rows = settingsOfShop.map((name) => `  ${name}: ${settingsTable[name].about}\n`);
  throw new StartError(
    `OIDC_ISSUER: ${fault} A shop sets these, in the environment or in .env; ${exampleFile} has all settings:\n\n${rows.join('')}`,
  );
}
