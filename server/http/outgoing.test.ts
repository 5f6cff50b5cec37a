import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { sendOutgoing } from './outgoing.ts';

test('each request opens a connection of its own, to an address that was checked for it', async () => {
  const connections = new Set<Socket>();
  const server = createServer({ keepAlive: true }, (request, response) => {
    connections.add(request.socket);
    response.end('taken');
  });
  endsWithTest(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://receiver.example:${(server.address() as AddressInfo).port}`);
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];

  for (let call = 0; call < 3; call += 1) {
    const { signal } = new AbortController();
    const response = await sendOutgoing(url, { signal }, { isAllowed: () => true, resolve });
    expect(await text(response)).toBe('taken');
  }

  expect(connections.size).toBe(3);
});

test('a server that switches to another protocol has not answered', async () => {
  const server = createServer((_, { socket }) => {
    socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
  });
  endsWithTest(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  const answer = sendOutgoing(url, { signal: AbortSignal.timeout(10_000) }, { isAllowed: () => true });

  await expect(answer).rejects.toThrow('without a response');
});
