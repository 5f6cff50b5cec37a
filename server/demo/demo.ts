/** What stands in for the outside world while no provider is set: an identity provider and a catalogue. */

import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/tables.ts';
import type { ExternalProvider, Settings } from '../settings.ts';
import { drawMissingCovers, fillEmptyShelf } from './catalogue.ts';
import { startIdentityProvider } from './identity-provider.ts';

export type Demo = {
  provider: ExternalProvider;
  /** Starts drawing the covers that are not there yet. The store sells in the meantime. */
  drawCovers(): void;
  close(): Promise<void>;
};

export type DemoParts = { settings: Settings; db: Db; callbackUrl: URL; log: FastifyBaseLogger };

/** @throws when the provider's port is taken. */
export async function openDemo({ settings, db, callbackUrl, log }: DemoParts): Promise<Demo> {
  const client = { clientId: 'colophon', clientSecret: randomBytes(32).toString('base64url') };
  const identityProvider = await startIdentityProvider({
    ...client,
    host: settings.host,
    port: settings.demoIdentityPort,
    issuer: `http://${settings.publicUrl.hostname}:${settings.demoIdentityPort}`,
    storeName: settings.storeName,
    storeOrigin: settings.publicUrl.origin,
    redirectUri: callbackUrl.href,
    onError: (error) => log.error({ err: error }, 'the demo identity provider failed'),
  });
  await fillEmptyShelf(db);

  const stop = new AbortController();
  let drawing = Promise.resolve();
  return {
    provider: { ...client, issuer: identityProvider.issuer, name: 'the demo provider' },
    drawCovers() {
      drawing = drawMissingCovers(db, stop.signal).catch((error: unknown) => {
        log.error({ err: error }, 'the covers could not be drawn');
      });
    },
    async close() {
      stop.abort();
      await Promise.all([identityProvider.close(), drawing]);
    },
  };
}
