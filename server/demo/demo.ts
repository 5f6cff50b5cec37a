/** What stands in for the outside world while no provider is set: an identity provider and a catalogue. */

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/tables.ts';
import type { ExternalProvider, Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { fillEmptyShelf, listMissingCovers } from './catalogue.ts';
import type { IdentityProcessReport } from './identity-process.ts';
import type { IdentityProviderOptions } from './identity-provider.ts';

export type Demo = {
  provider: ExternalProvider;
  /** Starts drawing the covers that are not there yet. The store sells in the meantime. */
  drawCovers(): Promise<void>;
  close(): void;
};

export type DemoParts = {
  settings: Settings;
  identityPort: number;
  db: Db;
  callbackUrl: URL;
  log: FastifyBaseLogger;
};

/** @throws when the provider's port cannot be listened on. */
export async function openDemo({ settings, identityPort, db, callbackUrl, log }: DemoParts): Promise<Demo> {
  const client = { clientId: 'colophon', clientSecret: randomBytes(32).toString('base64url') };
  const issuer = `http://${settings.publicUrl.hostname}:${identityPort}`;
  const [identityProcess] = await Promise.all([
    startIdentityProcess({
      ...client,
      issuer,
      host: settings.host,
      port: identityPort,
      storeName: settings.storeName,
      storeOrigin: settings.publicUrl.origin,
      redirectUri: callbackUrl.href,
    }),
    fillEmptyShelf(db),
  ]);

  identityProcess.on('exit', () => log.error('the demo identity provider has ended'));
  let drawing: ChildProcess | undefined;
  return {
    provider: { ...client, issuer, name: 'the demo provider' },
    async drawCovers() {
      if ((await listMissingCovers(db)).length === 0) return;
      drawing = forkBeside('draw-covers.ts');
      drawing.send(settings.database);
      drawing.on('error', (error) => log.error({ err: error }, 'the covers could not be drawn'));
      drawing.on('exit', (code) => {
        if (code) log.error({ code }, 'the covers could not be drawn');
      });
    },
    close() {
      drawing?.kill();
      identityProcess.removeAllListeners('exit');
      if (identityProcess.connected) identityProcess.disconnect();
    },
  };
}

async function startIdentityProcess(options: IdentityProviderOptions): Promise<ChildProcess> {
  const child = forkBeside('identity-process.ts');
  child.send(options);
  const [report]: [IdentityProcessReport] | [number] = await Promise.race([
    once(child, 'message') as Promise<[IdentityProcessReport]>,
    once(child, 'exit') as Promise<[number]>,
  ]);
  if (typeof report === 'object' && report.failure === undefined) return child;
  if (typeof report !== 'object') throw new Error('the demo identity provider did not start');
  throw report.isMendable ? new StartError(report.failure) : new Error(report.failure);
}

const forkBeside = (file: string): ChildProcess => fork(join(import.meta.dirname, file), { execArgv: [] });
