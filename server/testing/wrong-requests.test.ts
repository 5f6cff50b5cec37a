import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasStack, reader, readJson, shareTestStore } from './test-store.ts';

const store = shareTestStore({ onLog: (line) => log.push(line) });
let cookie: string;
const log: string[] = [];
beforeAll(async () => {
  cookie = await store.signIn();
});
beforeEach(() => {
  log.length = 0;
});

describe.each(['/books', `/allOrder/${reader.email}`])('the limit of %s', (path) => {
  test.each([
    ...['limit=Infinity', 'limit=-Infinity', 'limit=1e999', 'limit=NaN', 'limit=0x10', 'limit=1e1'],
    ...['limit=%205', 'limit=+5', 'limit=%2B5', 'limit=5.0', 'limit=-5', 'limit=', 'limit'],
    ...['limit=5&limit=6', 'limit=%D9%A5', `limit=${'9'.repeat(400)}`],
  ])('cannot be %s', async (query) => {
    const response = await store.call(`${path}?${query}`, { cookie });

    expect(await readJson(response, 400)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'limit' }],
    });
    expect(log.filter(hasStack)).toEqual([]);
  });

  test.each(['limit=5', 'limit=005', 'limit=200'])('can be %s', async (query) => {
    expect((await store.call(`${path}?${query}`, { cookie })).status).toBe(200);
  });
});

test('a client that goes away in the middle of its body is not logged as a fault of the store', async () => {
  const { port } = new URL(store.origin);
  const client = connect({ port: Number(port), host: '127.0.0.1' });
  const [connection] = await once(store.app.server, 'connection');
  const headers = `Host: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`;
  client.write(`POST /addOrder HTTP/1.1\r\n${headers}Expect: 100-continue\r\n\r\n`);
  // The store has let the request pass, and waits for its body.
  await once(client, 'data');
  client.write('{');
  client.destroy();
  await once(connection, 'close');
  await nextTurn();

  expect(log).toEqual([]);
});
