import makeFetchCookie from 'fetch-cookie';
import { CookieJar } from 'tough-cookie';
import { expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { paths } from '../../contract/paths.ts';
import { forThisTest } from './ends-with-test.ts';
import { findFreePort } from './free-ports.ts';
import type { ServerProcess } from './server-process.ts';
import { startStore } from './store-process.ts';
import { createStoreDatabase } from './test-database.ts';
import { beginSignIn, clientOf, finishSignIn, startTestProvider } from './test-provider.ts';
import { emmaSent, openTestStore, readJson, type TestStore } from './test-store.ts';

test('two nodes are one store: a book of one is on the shelf of the other within a second, a session is valid on both until it ends on either, and a sign-in that was begun on one is finished on the other', async () => {
  const provider = await forThisTest(startTestProvider());
  const { settings: database } = await createStoreDatabase();
  const open = () => openTestStore({ database, provider: clientOf(provider) });
  const [first, second] = await Promise.all([open(), open()]);
  const cookie = await first.signIn();

  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
    const json = { ...emmaSent, title };
    const { _id } = await readJson<Book>(await first.call(paths.addBook, { cookie, json }), 201);
    const newest = async () => (await readJson<Book[]>(await second.call(paths.books)))[0]?._id;
    await expect.poll(newest, { timeout: 1_000, interval: 5 }).toBe(_id);
  }

  const sessionOn = async (node: TestStore) => (await node.call(paths.session, { cookie })).json();
  expect(await sessionOn(second)).toMatchObject({ email: 'reader@example.com' });
  await second.call(paths.signOut, { method: 'POST', cookie });
  expect(await sessionOn(first)).toBeNull();

  const signIn = async (from: TestStore, to: TestStore): Promise<unknown> => {
    const { headers } = await finishSignIn(to, await beginSignIn(from, provider, 'returnTo=/orders'));
    expect(headers.getSetCookie().join()).toContain('colophon-session=');
    return headers.get('location');
  };
  expect(await Promise.all([signIn(first, second), signIn(second, first)])).toEqual(['/orders', '/orders']);
  expect(await first.database.db.selectFrom('attempt_keys').select('id').execute()).toHaveLength(1);
});

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
