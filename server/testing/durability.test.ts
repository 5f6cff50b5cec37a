/** What was answered is there: the real process, killed without warning in the middle of its work. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '../../contract/order.ts';
import { addBook } from '../catalogue/books.ts';
import { openDatabase } from '../database/open.ts';
import { startSession } from '../sign-in/sessions.ts';
import { findFreePort } from './free-ports.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { reader, readJson } from './test-store.ts';

let testDatabase: TestDatabase;
let port: number;
let cookie: string;
let storeProcess: ChildProcess;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  port = await findFreePort();
  const database = await openDatabase(testDatabase.settings);
  await addBook(
    database.db,
    { title: 'Emma', author: 'Jane Austen', image: 'https://covers.example/emma.jpg', priceCents: 1299 },
    null,
  );
  cookie = `colophon-session=${await startSession(database.db, reader)}`;
  await database.close();
  storeProcess = await startStore();
});
afterEach(async () => {
  storeProcess.kill('SIGKILL');
  await testDatabase.remove();
});

async function startStore(): Promise<ChildProcess> {
  const started = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: testDatabase.url,
      OIDC_ISSUER: 'http://localhost:1',
      OIDC_CLIENT_ID: 'colophon',
      OIDC_CLIENT_SECRET: 'secret',
      LOG_LEVEL: 'silent',
    },
  });
  const said = await Promise.race([once(started.stdout, 'data'), once(started, 'exit')]);
  expect(String(said[0])).toContain('is open');
  return started;
}

const placeOrder = (key: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/addOrder`, {
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
  let address: string | undefined = `/allOrder/${reader.email}`;
  while (address) {
    const answer: Response = await fetch(`http://127.0.0.1:${port}${address}`, { headers: { cookie } });
    address = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
    ids.push(...(await readJson<Order[]>(answer)).map(({ _id }) => _id));
  }
  return ids;
}

test('kill -9 in a run of orders loses none that was acknowledged, and a retry doubles none', {
  timeout: 60_000,
}, async () => {
  const acknowledged = new Map<string, string>();
  let cutOff: string[] = [];
  for (const round of [1, 2, 3]) {
    let isKilled = false;
    let sent = 0;
    const buyer = async (name: number): Promise<void> => {
      while (!isKilled) {
        const key = `${round}-${name}-${sent++}`;
        try {
          const { _id } = await readJson<Order>(await placeOrder(key), 201);
          acknowledged.set(key, _id);
          if (acknowledged.size === round * 150) {
            isKilled = true;
            storeProcess.kill('SIGKILL');
          }
        } catch (error) {
          // The connection that the kill cut: nobody knows whether this order was placed.
          if (!isKilled) throw error;
          cutOff.push(key);
        }
      }
    };
    const exit = once(storeProcess, 'exit');
    await Promise.all(Array.from({ length: 8 }, (_, name) => buyer(name)));
    expect(await exit).toEqual([null, 'SIGKILL']);

    storeProcess = await startStore();
    for (const key of cutOff) {
      acknowledged.set(key, (await readJson<Order>(await placeOrder(key), 201))._id);
    }
    cutOff = [];
    expect((await listOrderIds()).toSorted()).toEqual([...acknowledged.values()].toSorted());
  }
});

test('after SIGTERM the process ends with 0, and every order that it answered on the way is kept', async () => {
  const exit = once(storeProcess, 'exit');
  const answers = Array.from({ length: 20 }, (_, index) => placeOrder(`last-${index}`));
  await Promise.race(answers);
  storeProcess.kill('SIGTERM');

  const settled = await Promise.allSettled(answers);
  expect(await exit).toEqual([0, null]);

  storeProcess = await startStore();
  const kept = new Set(await listOrderIds());
  const answered = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(answered.length).toBeGreaterThan(0);
  for (const answer of answered) expect(kept).toContain((await readJson<Order>(answer, 201))._id);
});
