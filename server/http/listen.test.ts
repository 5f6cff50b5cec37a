import { once } from 'node:events';
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

test.runIf(process.platform === 'linux')(
  'a stop waits for the request that is under way at another address',
  async () => {
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    app.get('/slow', async () => {
      begun.resolve();
      await released.promise;
      return 'finished';
    });
    await listenOn(app, ['127.0.0.1', '127.0.0.2'], 0);

    const response = fetch(`http://127.0.0.2:${portOf()}/slow`);
    await begun.promise;
    const closing = app.close();
    released.resolve();

    expect(await (await response).text()).toBe('finished');
    await closing;
  },
);

test.runIf(process.platform === 'linux')(
  'a connection beyond the maximum is reported by the one server, whatever its address',
  async () => {
    app.server.maxConnections = 1;
    await listenOn(app, ['127.0.0.1', '127.0.0.2'], 0);
    const open = async (host: string) => {
      const socket = connect({ port: portOf(), host });
      await once(socket, 'connect');
      return socket;
    };
    const accepted = await open('127.0.0.2');
    const dropped: unknown[] = [];
    app.server.on('drop', (connection) => dropped.push(connection));

    await text(await open('127.0.0.2'));
    accepted.destroy();

    expect(dropped).toMatchObject([{ localAddress: '127.0.0.2' }]);
  },
);
