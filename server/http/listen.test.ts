import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenOn } from './listen.ts';
import { clientErrorHandler } from './raw-responses.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = fastify({ clientErrorHandler: clientErrorHandler({}), forceCloseConnections: 'idle' });
  app.get('/', async () => 'here');
});
afterEach(() => app.close());

const portOf = () => (app.server.address() as AddressInfo).port;

// Every address of 127.0.0.0/8 is this machine's own on Linux alone.
test.runIf(process.platform === 'linux')(
  'each address is served by the one server, whose stop ends them all',
  async () => {
    await listenOn(app, ['127.0.0.1', '127.0.0.2'], 0);
    const origins = ['127.0.0.1', '127.0.0.2'].map((address) => `http://${address}:${portOf()}`);

    const bodies = await Promise.all(origins.map(async (origin) => (await fetch(origin)).text()));
    const socket = connect({ port: portOf(), host: '127.0.0.2' });
    socket.end('nonsense\r\n\r\n');
    const refusal = await text(socket);
    await app.close();

    expect(bodies).toEqual(['here', 'here']);
    expect(refusal).toContain('"code":"MALFORMED_REQUEST"');
    await Promise.all(origins.map((origin) => expect(fetch(origin)).rejects.toThrow()));
  },
);

test('an address that this machine does not have is left out, unless it is the first', async () => {
  // Reserved for documentation (RFC 5737).
  const foreign = '192.0.2.1';

  await listenOn(app, ['127.0.0.1', foreign], 0);
  const other = fastify();
  const listening = listenOn(other, [foreign, '127.0.0.1'], 0);

  await expect(listening).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  expect((await fetch(`http://127.0.0.1:${portOf()}`)).status).toBe(200);
  await other.close();
});
