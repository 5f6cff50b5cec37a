/** An order that was acknowledged is stored, also when the process is killed in the middle of its work. */

import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import { forThisTest } from './ends-with-test.ts';
import type { ExitStatus, ServerProcess } from './server-process.ts';
import { openSmtpServer } from './smtp-server.ts';
import { externalProvider, startStore } from './store-process.ts';
import { createStoreDatabase, type TestDatabase } from './test-database.ts';
import { emma, orderOf, reader, readJson } from './test-store.ts';
import { openReceiver } from './webhook-receiver.ts';

let testDatabase: TestDatabase;
let settings: Record<string, string>;
let cookie: string;
let store: ServerProcess;
beforeEach(async () => {
  testDatabase = await createStoreDatabase();
  const { sessionId } = await testDatabase.use(async ({ db }) => {
    await addBook(db, emma, null);
    return await startSession(db, reader, { providerIssuer: externalProvider.OIDC_ISSUER });
  });
  cookie = `${sessionCookieName({ isSecure: false })}=${sessionId}`;
  settings = { ...externalProvider, DATABASE_URL: testDatabase.url, LOG_LEVEL: 'silent' };
});
afterEach(async () => {
  await store.kill();
  expect(store.stderr()).toBe('');
});

const placeOrder = (key: string): Promise<Response> =>
  fetch(store.origin + paths.addOrder, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(orderOf(emma)),
  });

const listOrderIds = async () => {
  const select = ({ db }: Database) => db.selectFrom('orders').select('id').execute();
  return (await testDatabase.use(select)).map(({ id }) => id);
};

test('kill -9 in a run of orders loses none that was acknowledged, nor its mail and its webhook, and a retry places no order twice', {
  timeout: 60_000,
}, async () => {
  const smtp = await forThisTest(openSmtpServer());
  const receiver = await forThisTest(openReceiver());
  settings = {
    ...settings,
    MAIL_URL: smtp.url.href,
    MAIL_FROM: 'orders@shop.example',
    WEBHOOK_URL: receiver.url.href,
    WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
    WEBHOOK_PRIVATE: 'on',
  };
  const acknowledged = new Map<string, string>();
  let interrupted: string[] = [];
  const start = async () => {
    store = await startStore(settings);
    for (const key of interrupted)
      acknowledged.set(key, (await readJson<Order>(await placeOrder(key), 201))._id);
    interrupted = [];
  };
  for (const round of [1, 2]) {
    await start();
    let killing: Promise<ExitStatus> | undefined;
    const buyer = async (name: number): Promise<void> => {
      for (let sent = 0; !killing; sent += 1) {
        const key = `${round}-${name}-${sent}`;
        try {
          acknowledged.set(key, (await readJson<Order>(await placeOrder(key), 201))._id);
          // Some messages are on their way by then.
          if (acknowledged.size >= round * 80 && smtp.mails.length > 0) killing = store.kill();
        } catch (error) {
          // The kill closed the connection: whether this order was placed is unknown.
          if (!killing) throw error;
          interrupted.push(key);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, name) => buyer(name)));
    expect(await killing).toEqual({ exitCode: null, signal: 'SIGKILL' });
  }
  // As if the claims of the killed process were over.
  await testDatabase.use(async ({ db }) => {
    await db.updateTable('orders').set({ mail_due_at: 0 }).where('mail_due_at', 'is not', null).execute();
    await db.updateTable('webhook_events').set({ due_at: 0 }).where('due_at', 'is not', null).execute();
  });
  await start();

  expect((await listOrderIds()).toSorted()).toEqual([...acknowledged.values()].toSorted());
  // An address gets ten receipts an hour, and the shop a notice of each order.
  const notices = () =>
    new Set(smtp.mails.flatMap(({ messageId }) => /^<notice\.(.*)@/.exec(messageId)?.[1] ?? []));
  await expect
    .poll(() => [...acknowledged.values()].filter((id) => !notices().has(id)), { timeout: 30_000 })
    .toEqual([]);
  // Each kill repeats at most the five messages that were under way.
  const distinct = new Set(smtp.mails.map(({ messageId }) => messageId));
  expect(smtp.mails.length - distinct.size).toBeLessThanOrEqual(2 * 5);
  const { received } = receiver;
  const told = () => new Map(received.map(({ id, message }) => [message.data['_id'], id]));
  await expect
    .poll(() => [...told().keys()].toSorted(), { timeout: 30_000 })
    .toEqual([...acknowledged.values()].toSorted());
  expect(new Set(received.map(({ id }) => id)).size).toBe(acknowledged.size);
  expect(received.length - acknowledged.size).toBeLessThanOrEqual(2 * 5);
});

test('after SIGTERM the process exits with 0, and every order that it acknowledged is stored', async () => {
  store = await startStore(settings);
  const requests = Array.from({ length: 20 }, (_, index) => placeOrder(`last-${index}`));
  await Promise.race(requests);
  const exit = store.stop();

  const settled = await Promise.allSettled(requests);
  expect(await exit).toEqual({ exitCode: 0, signal: null });

  const stored = await listOrderIds();
  const responses = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(responses.length).toBeGreaterThan(0);
  for (const response of responses) expect(stored).toContain((await readJson<Order>(response, 201))._id);
});
