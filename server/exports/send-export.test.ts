import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExportSlots } from './send-export.ts';

const server = createServer();

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** @returns the response to a client that has gone. */
async function abandonedResponse(): Promise<ServerResponse> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const requested = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, raw] = (await requested) as [unknown, ServerResponse];
  const closed = once(raw, 'close');
  client.destroy();
  await closed;
  return raw;
}

test('a client that goes away before its export begins holds no slot', async () => {
  const slots = openExportSlots();
  const raw = await abandonedResponse();

  for (let slot = 0; slot < 4; slot += 1) slots.take({ raw });

  await expect.poll(() => slots.take({ raw })).toBeUndefined();
});
