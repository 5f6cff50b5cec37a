import makeFetchCookie from 'fetch-cookie';
import { CookieJar } from 'tough-cookie';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { findFreePort } from './free-ports.ts';
import { type ServerProcess, startStore } from './server-process.ts';
import { createStoreDatabase } from './test-database.ts';
import { readJson } from './test-store.ts';

test('two stores in demo mode share one provider and their sessions; the second takes the provider over', {
  timeout: 120_000,
}, async () => {
  const identityPort = await findFreePort();
  const settings = {
    DATABASE_URL: (await createStoreDatabase()).url,
    DEMO_IDENTITY_PORT: String(identityPort),
  };
  const first = await startStore(settings);
  const second = await startStore(settings);
  /** @returns the name in the session of the other node, after a sign-in on one. */
  const signIn = async (node: ServerProcess, other: ServerProcess): Promise<string | undefined> => {
    const browser = makeFetchCookie(fetch, new CookieJar());
    const chooser = await browser(`http://localhost:${node.port}${paths.signIn}`);
    const [, action = ''] = /action="([^"]+)"/.exec(await chooser.text()) ?? [];
    const form = { method: 'POST', body: new URLSearchParams({ person: 'ada@example.com' }) };
    await (await browser(new URL(action, chooser.url), form)).arrayBuffer();
    const session = await browser(`http://localhost:${other.port}${paths.session}`);
    return (await readJson<{ userName: string } | null>(session))?.userName;
  };
  const readKeys = () =>
    fetch(`http://localhost:${identityPort}/jwks`).then(
      (response) => response.text(),
      () => '',
    );
  const firstKeys = await readKeys();

  const names = [await signIn(first, second), await signIn(second, first)];
  expect((await first.stop()).exitCode).toBe(0);
  await expect.poll(readKeys, { timeout: 20_000 }).toSatisfy((keys) => keys !== '' && keys !== firstKeys);
  names.push(await signIn(second, second));
  await second.stop();

  expect(names).toEqual(['Ada Marlowe', 'Ada Marlowe', 'Ada Marlowe']);
});
