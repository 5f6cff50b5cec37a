import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { setUpTestStore } from '../testing/test-store.ts';

const store = setUpTestStore();
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
});

/** Sends an upload, and resets its connection while the store waits for the session. */
async function disconnectWhileWaiting(): Promise<void> {
  const { db } = store.database;
  const waiting = async () => {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db);
    return rows.length;
  };
  await db.transaction().execute(async (locking) => {
    await sql`lock table sessions`.execute(locking);
    const accepted: Promise<Socket[]> = once(store.app.server, 'connection');
    const { host, hostname, port } = new URL(store.origin);
    const client = connect(Number(port), hostname);
    const headers = [`Host: ${host}`, `Cookie: ${cookie}`, 'Content-Type: multipart/form-data; boundary=x'];
    client.write([`POST ${paths.upload} HTTP/1.1`, ...headers, 'Content-Length: 99', '', ''].join('\r\n'));
    const [socket] = await accepted;
    await expect.poll(waiting).toBe(1);
    // Not with `once`: the reset is an error, too.
    const closed = new Promise((resolve) => socket?.once('close', resolve));
    client.resetAndDestroy();
    await closed;
  });
}

test('uploads whose clients disconnect while the store looks up their sessions leave room for others', async () => {
  for (let time = 0; time < 3; time++) await disconnectWhileWaiting();

  const body = new FormData();
  body.set('image', 'not a file');
  const upload = async () => (await store.call(paths.upload, { method: 'POST', body, cookie })).status;
  await expect.poll(upload).toBe(400);
});
