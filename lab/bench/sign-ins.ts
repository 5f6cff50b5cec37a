/**
 * The section of sign-ins: visitors sign in again and again, each time as another browser, which follows the redirects between
 * store and provider and keeps cookies. `wrk` cannot do that.
 */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { type Bench, newRow, type Outcome, type Section } from './bench.ts';
import { send, startMeasuring } from './client.ts';
import { engines } from './databases.ts';
import { startIdentityProvider, startStores, storeOn } from './processes.ts';
import { loadTable } from './tables.ts';
import { defaultConnections } from './wrk.ts';

/** The databases are empty: a store with another provider would end the sessions that began under the first one. */
export async function measureSignIns(bench: Bench): Promise<Section> {
  const { databases } = bench;
  const provider = await bench.start(startIdentityProvider());
  const empty = {
    SQLite: { url: `sqlite:${join(databases.folder, 'sign-ins.db')}` },
    PostgreSQL: { url: await databases.createOnPostgres('sign_ins') },
  };
  const stores = await startStores(bench, empty, 'sign-ins', { OIDC_ISSUER: provider.origin });
  const rows = engines.map((engine) =>
    newRow(storeOn(engine), (seconds) => letVisitorsSignIn(stores[engine], seconds)),
  );
  await bench.measure('sign-ins', rows);
  return {
    title: 'Sign-ins',
    text: `\`/auth/sign-in\`, the provider, \`/auth/callback\`, \`/auth/session\`\n\n${loadTable(rows, 'sign-in')}`,
    targets: [],
  };
}

async function letVisitorsSignIn({ origin, pid }: ServerProcess, seconds: number): Promise<Outcome> {
  const latenciesMs: number[] = [];
  const finish = startMeasuring(pid);
  const deadline = performance.now() + 1000 * seconds;
  const visit = async () => {
    while (performance.now() < deadline) {
      const startedAt = performance.now();
      await signIn(origin);
      latenciesMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: defaultConnections }, visit));
  return finish(latenciesMs);
}

type Cookies = Map<string, string>;

/** One sign-in, in a new browser. */
async function signIn(store: string): Promise<void> {
  const cookies: Cookies = new Map();
  const begun = await follow(new URL(`${paths.signIn}?attempt=${randomUUID()}`, store), 302, cookies);
  const agreed = await follow(new URL(begun.location), 302);
  const { pathname, search } = new URL(agreed.location);
  await follow(new URL(pathname + search, store), 200, cookies);
  const { body } = await follow(new URL(paths.session, store), 200, cookies);
  if (!JSON.parse(body)) throw new Error('a sign-in ended without a session');
}

async function follow({ origin, pathname, search }: URL, status: number, cookies: Cookies = new Map()) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const planned = { path: pathname + search, headers: cookie ? { cookie } : {} };
  const { message, body } = await send(origin, planned, status);
  for (const line of message.headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return { body: body.toString(), location: message.headers.location ?? '' };
}
