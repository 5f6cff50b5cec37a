import makeFetchCookie from 'fetch-cookie';
import { CookieJar } from 'tough-cookie';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import type { Order } from '../../contract/order.ts';
import { findFreePort } from './free-ports.ts';
import type { ServerProcess } from './server-process.ts';
import { startStore } from './store-process.ts';
import { createStoreDatabase, type TestDatabase } from './test-database.ts';
import {
  beginSignIn,
  clientOf,
  finishSignIn,
  startTestProvider,
  type TestProvider,
} from './test-provider.ts';
import { openTestStore, orderOf, readJson, type TestStore } from './test-store.ts';

let provider: TestProvider;
let testDatabase: TestDatabase;
let firstNode: TestStore;
let secondNode: TestStore;
let cookie: string;
beforeAll(async () => {
  provider = await startTestProvider();
  testDatabase = await createStoreDatabase();
  [firstNode, secondNode] = await Promise.all([
    openTestStore({ database: testDatabase.settings, provider: clientOf(provider) }),
    openTestStore({ database: testDatabase.settings, provider: clientOf(provider) }),
  ]);
  cookie = await firstNode.signIn();
});
afterAll(async () => {
  await Promise.all([firstNode.close(), secondNode.close()]);
  await testDatabase.remove();
  await provider.close();
});

const book = (title: string) => ({
  title,
  author: 'Jane Austen',
  image: 'https://covers.example/emma.jpg',
  price: { value: '12.99' },
});

test('a book that is added on one node is on the shelf of the other within a second, every time of a hundred', async () => {
  for (let index = 0; index < 100; index += 1) {
    const { _id } = await readJson<Book>(
      await firstNode.call('/addBook', { cookie, json: book(`Book ${index}`) }),
      201,
    );

    await expect
      .poll(async () => (await readJson<Book[]>(await secondNode.call('/books')))[0]?._id, {
        timeout: 1_000,
        interval: 5,
      })
      .toBe(_id);
  }
});

test('a session of one node is valid on the other, until it ends on either', async () => {
  const shared = await firstNode.signIn({ sub: 'shared', email: 'shared@example.com' });
  expect(await (await secondNode.call('/auth/session', { cookie: shared })).json()).toMatchObject({
    email: 'shared@example.com',
  });

  await secondNode.call('/auth/sign-out', { method: 'POST', cookie: shared });

  expect(await (await firstNode.call('/auth/session', { cookie: shared })).json()).toBeNull();
});

test('a sign-in that was begun on one node is finished on the other, in both directions at once', async () => {
  const signIn = async (from: TestStore, to: TestStore): Promise<number> => {
    const { headers } = await finishSignIn(to, await beginSignIn(from, provider, 'returnTo=/orders'));
    expect(headers.get('location')).toBe('/orders');
    return headers.getSetCookie().filter((line) => line.startsWith('colophon-session=')).length;
  };

  const sessions = await Promise.all([signIn(firstNode, secondNode), signIn(secondNode, firstNode)]);

  expect(sessions).toEqual([1, 1]);
  expect(await firstNode.database.db.selectFrom('attempt_keys').select('id').execute()).toHaveLength(1);
});

test('a thousand orders with repeated keys, spread over both nodes, place one order per key', {
  timeout: 60_000,
}, async () => {
  await firstNode.call('/addBook', { cookie, json: book('Emma') });
  const keys = Array.from({ length: 1000 }, (_, index) => `key-${index % 250}`);
  const json = orderOf({ title: 'Emma', author: 'Jane Austen', priceCents: 1299 });

  const placed = new Map<string, Set<string>>();
  const lanes = Array.from({ length: 20 }, async (_, lane) => {
    for (let index = lane; index < keys.length; index += 20) {
      const key = keys[index] ?? '';
      const node = (index + Math.floor(index / 250)) % 2 === 0 ? firstNode : secondNode;
      const response = await node.call('/addOrder', { cookie, json, headers: { 'idempotency-key': key } });
      const { _id } = await readJson<Order>(response, 201);
      placed.set(key, (placed.get(key) ?? new Set()).add(_id));
    }
  });
  await Promise.all(lanes);

  expect(placed.size).toBe(250);
  expect([...placed.values()].every((ids) => ids.size === 1)).toBe(true);
  const rows = await firstNode.database.db.selectFrom('orders').select('id').execute();
  expect(rows).toHaveLength(250);
});

test('two stores in demo mode share one provider and their sessions; the second takes the provider over', {
  timeout: 60_000,
}, async () => {
  const demo = await createStoreDatabase();
  const identityPort = await findFreePort();
  const settings = { DATABASE_URL: demo.url, DEMO_IDENTITY_PORT: String(identityPort) };
  const first = await startStore(settings);
  const second = await startStore(settings);
  const openBrowser = () => makeFetchCookie(fetch, new CookieJar());
  /** @returns the name in the session of the other node, after a sign-in on one. */
  const signIn = async (node: ServerProcess, other: ServerProcess): Promise<string | undefined> => {
    const browser = openBrowser();
    const chooser = await browser(`http://localhost:${node.port}/auth/sign-in`);
    const [, action = ''] = /action="([^"]+)"/.exec(await chooser.text()) ?? [];
    const form = { method: 'POST', body: new URLSearchParams({ person: 'ada@example.com' }) };
    await (await browser(new URL(action, chooser.url), form)).arrayBuffer();
    const session = await browser(`http://localhost:${other.port}/auth/session`);
    return (await readJson<{ userName: string } | null>(session))?.userName;
  };

  const readKeys = () =>
    fetch(`http://localhost:${identityPort}/jwks`).then(
      (response) => response.text(),
      () => '',
    );
  const firstKeys = await readKeys();

  const shared = [await signIn(first, second), await signIn(second, first)];
  const stopped = await first.stop();
  await expect.poll(readKeys, { timeout: 20_000 }).toSatisfy((keys) => keys !== '' && keys !== firstKeys);
  const takenOver = await signIn(second, second);
  await second.stop();

  expect(shared).toEqual(['Ada Marlowe', 'Ada Marlowe']);
  expect(stopped.exitCode).toBe(0);
  expect(takenOver).toBe('Ada Marlowe');
});
