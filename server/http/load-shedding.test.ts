import { once } from 'node:events';
import { Agent, createServer, type RequestOptions, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLoadShedding } from './load-shedding.ts';
import { openRequestIds } from './request-ids.ts';

let arrived: number;
let started: number;
let server: Server;
let agent: Agent;
beforeEach(async () => {
  arrived = 0;
  started = 0;
  agent = new Agent({ keepAlive: true });
  const shedLoad = openLoadShedding(
    ({ url }, response) => {
      started += 1;
      if (url !== '/never') response.end('served');
    },
    {
      kindOf({ method }) {
        arrived += 1;
        return method === 'GET' ? 'reads' : 'changes';
      },
      requestIdOf: openRequestIds([]),
      headers: {},
      onShed() {},
    },
  );
  server = createServer(shedLoad);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  vi.restoreAllMocks();
  server.close();
  server.closeAllConnections();
  agent.destroy();
});

const send = (path: string, options: RequestOptions = {}, body = '') =>
  new Promise<{ status: number | undefined; connection: string | undefined; requestId: unknown }>(
    (resolve) => {
      const { port } = server.address() as AddressInfo;
      const sent = request({ port, host: '127.0.0.1', path, agent, ...options }, (response) => {
        response.resume();
        const { connection, 'x-request-id': requestId } = response.headers;
        resolve({ status: response.statusCode, connection, requestId });
      });
      // At the end of the test.
      sent.on('error', () => {}).write(body);
      if (options.headers === undefined) sent.end();
    },
  );

/** Sixteen reads that never end, while the clock stands still: no wait ends on a slow machine. @returns the clock. */
async function fillReads() {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  for (let number = 0; number < 16; number += 1) send('/never');
  await expect.poll(() => started).toBe(16);
  return clock;
}

test('requests that take long keep others of their kind out for a moment, and those of another kind never', async () => {
  const clock = await fillReads();

  const read = send('/');
  await expect.poll(() => arrived).toBe(17);
  const change = await send('/', { method: 'POST' });
  const startedInTheMoment = started;
  clock.mockReturnValue(200);

  expect(change.status).toBe(200);
  expect(startedInTheMoment).toBe(17);
  expect((await read).status).toBe(200);
});

test('256 requests of a kind wait, and further ones are refused at once', async () => {
  await fillReads();
  const refused: number[] = [];

  for (let number = 0; number < 300; number += 1) {
    send('/never').then(({ status = 0 }) => refused.push(status));
  }

  await expect.poll(() => refused.length).toBe(300 - 256);
  expect(new Set(refused)).toEqual(new Set([503]));
  expect([arrived, started]).toEqual([316, 16]);
});

test('a refused request whose body has not arrived is the last of its connection', async () => {
  const refused = await Promise.race(
    Array.from({ length: 600 }, () =>
      send('/never', { method: 'POST', headers: { 'content-length': '100000' } }, 'only the beginning'),
    ),
  );

  expect(refused).toEqual({ status: 503, connection: 'close', requestId: expect.stringMatching(/-\d+$/) });
});
