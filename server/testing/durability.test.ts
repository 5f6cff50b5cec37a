/** Tests that an acknowledged order is stored, even if the process is killed in the middle of its work. */

import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import { endsWithTest, forThisTest } from './ends-with-test.ts';
import type { ExitStatus, ServerProcess } from './server-process.ts';
import { externalProvider, startStore } from './server-process.ts';
import { openSmtpServer } from './smtp-server.ts';
import { setUpTestDatabase } from './test-database.ts';
import { emma, orderOf, reader, readJson } from './test-store.ts';
import { openReceiver } from './webhook-receiver.ts';

const testDatabase = setUpTestDatabase();

test('kill -9 in a run of orders loses none that was acknowledged, nor its mail and its webhook, and a retry places no order twice', {
  timeout: 180_000,
}, async () => {
  const { db } = await testDatabase.open();
  await addBook(db, emma, null);
  const { sessionId } = await startSession(db, reader, { providerIssuer: externalProvider.OIDC_ISSUER });
  const smtp = await forThisTest(openSmtpServer());
  const receiver = await forThisTest(openReceiver());
  const start = async (): Promise<ServerProcess> => {
    const started = await startStore({
      ...externalProvider,
      DATABASE_URL: testDatabase.url,
      LOG_LEVEL: 'silent',
      MAIL_URL: smtp.url.href,
      MAIL_FROM: 'orders@shop.example',
      WEBHOOK_URL: receiver.url.href,
      WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
      WEBHOOK_PRIVATE: 'on',
    });
    endsWithTest(started.kill);
    return started;
  };
  let store = await start();
  const acknowledged = new Map<string, string>();
  const placeOrder = async (key: string): Promise<void> => {
    const cookie = `${sessionCookieName({ isSecure: false })}=${sessionId}`;
    const response = await fetch(store.origin + paths.addOrder, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(orderOf(emma)),
    });
    acknowledged.set(key, (await readJson<Order>(response, 201))._id);
  };

  const firstMail = vi.waitUntil(() => smtp.mails.length > 0, { timeout: 30_000 });
  let killing: Promise<ExitStatus> | undefined;
  const interrupted: string[] = [];
  const buyer = async (name: number): Promise<void> => {
    for (let sent = 0; !killing; sent += 1) {
      const key = `${name}-${sent}`;
      try {
        // Some messages are being sent by then.
        if (acknowledged.size >= 80) await firstMail;
        await placeOrder(key);
        if (acknowledged.size > 80) killing ??= store.kill();
      } catch (error) {
        // The kill closed the connection, so it is unknown whether this order was placed.
        if (!killing) throw error;
        interrupted.push(key);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, name) => buyer(name)));
  expect(await killing).toEqual({ exitCode: null, signal: 'SIGKILL' });
  // Ends the claims of the killed process.
  await db.updateTable('outbox').set({ due_at: 0 }).where('due_at', 'is not', null).execute();
  store = await start();
  for (const key of interrupted) await placeOrder(key);

  const ids = [...acknowledged.values()].toSorted();
  const stored = await db.selectFrom('orders').select('id').execute();
  expect(stored.map(({ id }) => id).toSorted()).toEqual(ids);
  // An address gets ten receipts an hour, and the shop a notice of each order.
  const notices = () =>
    new Set(smtp.mails.flatMap(({ messageId }) => /^<notice\.(.*)@/.exec(messageId)?.[1] ?? []));
  await expect.poll(() => ids.filter((id) => !notices().has(id)), { timeout: 60_000 }).toEqual([]);
  const { received } = receiver;
  const told = () => [...new Set(received.map(({ message }) => message.data['_id']))].toSorted();
  await expect.poll(told, { timeout: 60_000 }).toEqual(ids);
  // The kill repeats at most the five messages that were being sent, with their ids.
  expect(smtp.mails.length - new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBeLessThanOrEqual(
    5,
  );
  expect(new Set(received.map(({ id }) => id)).size).toBe(ids.length);
  expect(received.length - ids.length).toBeLessThanOrEqual(5);
  expect(store.stderr()).toBe('');
});
