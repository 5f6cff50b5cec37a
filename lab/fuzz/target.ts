/** The store that `npm run fuzz` sends its requests to: a process on a database of its own. */

import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import { type DatabaseSettings, openDatabase } from '../../server/database/open.ts';
import { startIdentityProvider } from '../../server/demo/identity-provider.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import type { Identity } from '../../server/sign-in/identity.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { startPostgres } from '../../server/testing/postgres-server.ts';
import type { ApiDescription } from '../../server/testing/schema-values.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { startStore } from '../../server/testing/store-process.ts';
import { pages } from '../../tools/builds.ts';
import { adminEmail, fillStore, type StoreContents } from './store-contents.ts';

export type Engine = 'sqlite' | 'postgres';

/** Ends or removes something that the run has started. */
export type Cleanup = () => Promise<unknown> | unknown;

/** @returns the settings of an empty database, and its address for the store. */
async function makeDatabase(
  engine: Engine,
  folder: string,
  cleanups: Cleanup[],
): Promise<{ url: string; settings: DatabaseSettings }> {
  if (engine === 'sqlite') {
    return withSettings(`sqlite:${join(folder, 'store.db')}`);
  }
  const { url, stop } = await startPostgres();
  cleanups.push(stop);
  return withSettings(url);
}

const withSettings = (url: string) => ({ url, settings: readDatabaseSettings({ DATABASE_URL: url }) });

/** @returns the JSON of a response, which is not checked. */
export const readJson = async <Body>(address: string): Promise<Body> =>
  (await (await fetch(address)).json()) as Body;

/** `contents`: what the store has; `publicOrigin`: as in `PUBLIC_URL`; `logFile`: its standard output and error. */
export type Target = { store: ServerProcess; contents: StoreContents; publicOrigin: string; logFile: string };

/**
 * Starts a store with books, customers and an identity provider.
 * @param folder for its files.
 * @param cleanups gets what is to be done after the run, in the opposite order.
 */
export async function openTarget(engine: Engine, folder: string, cleanups: Cleanup[]): Promise<Target> {
  if (!pages.isBuilt() && !(await pages.make())) throw new Error('The pages could not be built.');
  const { url, settings } = await makeDatabase(engine, folder, cleanups);
  const port = await findFreePort();
  const publicOrigin = `http://localhost:${port}`;
  const client = { clientId: 'colophon', clientSecret: 'a secret' };
  const providerPort = await findFreePort();
  const provider = await startIdentityProvider({
    ...client,
    host: '127.0.0.1',
    port: providerPort,
    issuer: `http://localhost:${providerPort}`,
    storeName: 'Colophon',
    redirectUri: publicOrigin + paths.signInCallback,
    storeOrigin: publicOrigin,
  });
  cleanups.push(provider.close);

  const database = await openDatabase(settings);
  const signIn = async (identity: Identity) => {
    // As the settings write it.
    const { sessionId } = await startSession(database.db, identity, {
      providerIssuer: new URL(provider.issuer).href,
    });
    return `${sessionCookieName({ isSecure: false })}=${sessionId}`;
  };
  const filled = await fillStore(database.db, { books: 300, customers: 6 }, signIn);
  await database.close();
  const logFile = join(folder, 'store.log');
  const store = await startStore(
    {
      PORT: String(port),
      PUBLIC_URL: publicOrigin,
      DATABASE_URL: url,
      ADMIN_EMAILS: adminEmail,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      RATE_LIMITS: 'off',
    },
    { logFile },
  );
  cleanups.push(store.kill);
  const description = await readJson<ApiDescription>(store.origin + paths.openApi);
  return { store, contents: { description, ...filled }, publicOrigin, logFile };
}
