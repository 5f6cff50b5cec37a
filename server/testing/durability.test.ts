/** An order that was acknowledged is stored, also when the process is killed in the middle of its work. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextPagePath } from '../../contract/next-page.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { openDatabase } from '../database/open.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import type { ExitStatus, ServerProcess } from './server-process.ts';
import { openSmtpServer } from './smtp-server.ts';
import { externalProvider, startStore } from './store-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { reader, readJson } from './test-store.ts';

let testDatabase: TestDatabase;
let settings: Record<string, string>;
let cookie: string;
let store: ServerProcess;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  const database = await openDatabase(testDatabase.settings);
  await addBook(
    database.db,
    { title: 'Emma', author: 'Jane Austen', image: 'https://covers.example/emma.jpg', priceCents: 1299 },
    null,
  );
  const { sessionId } = await startSession(database.db, reader, {
    providerIssuer: externalProvider.OIDC_ISSUER,
  });
  cookie = `${sessionCookieName({ isSecure: false })}=${sessionId}`;
  await database.close();
  settings = {
    ...externalProvider,
    DATABASE_URL: testDatabase.url,
    LOG_LEVEL: 'silent',
  };
  store = await startStore(settings);
});
afterEach(async () => {
  await store.kill();
  expect(store.stderr()).toBe('');
  await testDatabase.remove();
});

const placeOrder = (key: string): Promise<Response> =>
  fetch(store.origin + paths.addOrder, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({
      email: reader.email,
      title: 'Emma',
      author: 'Jane Austen',
      price: 12.99,
      time: new Date().toDateString(),
    }),
  });

async function listOrderIds(): Promise<string[]> {
  const ids: string[] = [];
  let path: string | undefined = paths.allOrder(reader.email);
  while (path !== undefined) {
    const response: Response = await fetch(store.origin + path, { headers: { cookie } });
    path = nextPagePath(response.headers.get('link'), store.origin);
    ids.push(...(await readJson<Order[]>(response)).map(({ _id }) => _id));
  }
  return ids;
}

test('kill -9 during a run of orders loses no acknowledged order, and a retry places no order twice', {
  timeout: 60_000,
}, async () => {
  const acknowledged = new Map<string, string>();
  for (const round of [1, 2, 3]) {
    const interrupted: string[] = [];
    let killing: Promise<ExitStatus> | undefined;
    let sent = 0;
    const buyer = async (name: number): Promise<void> => {
      while (!killing) {
        const key = `${round}-${name}-${sent++}`;
        try {
          const { _id } = await readJson<Order>(await placeOrder(key), 201);
          acknowledged.set(key, _id);
          if (acknowledged.size === round * 150) killing = store.kill();
        } catch (error) {
          // The kill closed the connection: whether this order was placed is unknown.
          if (!killing) throw error;
          interrupted.push(key);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, name) => buyer(name)));
    expect(await killing).toEqual({ exitCode: null, signal: 'SIGKILL' });

    store = await startStore(settings);
    for (const key of interrupted) {
      acknowledged.set(key, (await readJson<Order>(await placeOrder(key), 201))._id);
    }
    expect((await listOrderIds()).toSorted()).toEqual([...acknowledged.values()].toSorted());
  }
});

test('kill -9 in a run of orders leaves every order its mail', { timeout: 60_000 }, async () => {
  const smtp = await openSmtpServer();
  const withMail = { ...settings, MAIL_URL: smtp.url.href, MAIL_FROM: 'orders@shop.example' };
  const acknowledged: string[] = [];
  for (let round = 1; round <= 2; round += 1) {
    await store.kill();
    store = await startStore(withMail);
    let killing: Promise<ExitStatus> | undefined;
    const buyer = async (name: number): Promise<void> => {
      for (let sent = 0; !killing; sent += 1) {
        try {
          const response = await placeOrder(`mail-${round}-${name}-${sent}`);
          acknowledged.push((await readJson<Order>(response, 201))._id);
          // Some messages are on their way by then.
          if (acknowledged.length >= round * 30 && smtp.mails.length > 0) killing = store.kill();
        } catch (error) {
          if (!killing) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, (_, name) => buyer(name)));
    await killing;
  }

  const { db, close } = await openDatabase(testDatabase.settings);
  // As if the claims of the killed process were over.
  await db.updateTable('orders').set({ mail_due_at: 0 }).where('mail_due_at', 'is not', null).execute();
  await close();
  store = await startStore(withMail);

  // An address gets ten receipts an hour, and the shop a notice of each order.
  const notices = () =>
    new Set(smtp.mails.flatMap(({ messageId }) => /^<notice\.(.*)@/.exec(messageId)?.[1] ?? []));
  await expect.poll(() => acknowledged.filter((id) => !notices().has(id)), { timeout: 30_000 }).toEqual([]);
  // Each kill repeats at most the five messages that were under way.
  const distinct = new Set(smtp.mails.map(({ messageId }) => messageId));
  expect(smtp.mails.length - distinct.size).toBeLessThanOrEqual(2 * 5);
  await smtp.close();
});

test('after SIGTERM the process exits with 0, and every order that it acknowledged is stored', async () => {
  const requests = Array.from({ length: 20 }, (_, index) => placeOrder(`last-${index}`));
  await Promise.race(requests);
  const exit = store.stop();

  const settled = await Promise.allSettled(requests);
  expect(await exit).toEqual({ exitCode: 0, signal: null });

  store = await startStore(settings);
  const stored = new Set(await listOrderIds());
  const responses = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(responses.length).toBeGreaterThan(0);
  for (const response of responses) expect(stored).toContain((await readJson<Order>(response, 201))._id);
});
