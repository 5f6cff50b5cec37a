import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handleErrors, sendProblem } from './error-handler.ts';
import { Problem } from './problems.ts';
import { closeIfUnread, refuseUnreadBodies } from './refused-bodies.ts';

const megabyte = 1024 * 1024;

let app: FastifyInstance;
let socketOfServer: Promise<Socket>;
/** The address of each request that reached a handler. */
let handled: string[];
beforeEach(async () => {
  app = fastify({
    bodyLimit: 20 * megabyte,
    frameworkErrors: (_error, request, reply) => {
      closeIfUnread(request, reply);
      sendProblem(request, reply, new Problem('MALFORMED_REQUEST'));
    },
  });
  handled = [];
  handleErrors(app, () => {});
  refuseUnreadBodies(app);
  app.addHook('onRequest', (request, _reply, done) => {
    handled.push(request.url);
    done();
  });
  const refuse = async () => {
    throw new Problem('SIGN_IN_REQUIRED');
  };
  app.post('/refused', { onRequest: refuse }, async () => 'never');
  app.post('/read', async ({ body }) => ({ length: JSON.stringify(body).length }));
  app.post('/small', { bodyLimit: 10 }, async () => 'never');
  app.get('/', async () => 'hello');
  await app.listen({ port: 0, host: '127.0.0.1' });
  socketOfServer = new Promise((resolve) => app.server.once('connection', resolve));
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** @param allowHalfOpen the client does not close its side when the server closes. */
const connectToApp = ({ allowHalfOpen = false } = {}) =>
  connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen });

const head = (path: string, ...headers: string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;

/** Sends all of it before it reads, and closes no side. @returns everything that the server sends until it ends. */
const exchange = async (...parts: (string | Buffer)[]) => {
  const client = connectToApp({ allowHalfOpen: true });
  // The response must be readable although sending fails later.
  client.on('error', () => {});
  for (const part of parts) client.write(part);
  return await text(client);
};

describe('a refused request', () => {
  test('closes its connection, without reading more than a little of a large body', async () => {
    const length = 16 * megabyte;

    const response = await exchange(head('/refused', `Content-Length: ${length}`), Buffer.alloc(length));

    expect(response).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n(.+\r\n)*connection: close\r\n/);
    expect(response).toContain('"code":"SIGN_IN_REQUIRED"');
    const socket = await socketOfServer;
    await once(socket, 'close');
    expect(socket.bytesRead).toBeLessThan(megabyte);
  });

  test('with a chunked body closes its connection', async () => {
    const response = await exchange(head('/refused', 'Transfer-Encoding: chunked'), 'a\r\n0123456789\r\n');

    expect(response).toMatch(/^HTTP\/1.1 401 .+\r\n(.+\r\n)*connection: close\r\n/);
  });

  test('reaches a client that is still sending, and lets it finish a body of some 100 KB', async () => {
    const client = connectToApp();
    const sent = Buffer.alloc(100 * 1024);
    client.write(head('/refused', `Content-Length: ${2 * sent.length}`));
    client.write(sent);
    await once(client, 'data');
    client.end(sent);

    // An early reset would be an error here.
    await once(client.resume(), 'close');
    expect((await socketOfServer).bytesRead).toBeGreaterThan(2 * sent.length);
  });

  test('of a client that never closes it ends after a short time', async () => {
    const client = connectToApp({ allowHalfOpen: true });
    client.write(head('/refused', `Content-Length: ${megabyte}`));
    client.on('error', () => {});
    const socket = await socketOfServer;
    client.resume();

    await once(socket, 'close');
  });

  test('is the last of its connection: what follows it is not served', async () => {
    const length = 100 * 1024;
    const client = connectToApp();
    client.write(head('/refused', `Content-Length: ${length}`));
    await once(client, 'data');
    client.write(Buffer.alloc(length));
    client.end(`${head('/read', 'Content-Length: 2')}{}`);
    await once(client.resume(), 'close');

    expect(handled).toEqual(['/refused']);
  });

  test('with a small body keeps its connection', async () => {
    const client = connectToApp();
    client.write(`${head('/refused', 'Content-Length: 2')}{}`);
    expect(String(await once(client, 'data'))).toMatch(
      /^HTTP\/1.1 401 .+\r\n(?!(.+\r\n)*connection: close)/i,
    );
    client.write(`${head('/read', 'Content-Length: 2', 'Connection: close')}{}`);

    expect(await text(client)).toContain('{"length":2}');
  });

  test('with an address that cannot be read closes its connection too', async () => {
    const response = await exchange(head('/%zz', `Content-Length: ${megabyte}`), Buffer.alloc(megabyte));

    expect(response).toMatch(/^HTTP\/1.1 400 .+\r\n(.+\r\n)*connection: close\r\n/);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (path: string, length: number) =>
    head(path, `Content-Length: ${length}`, 'Expect: 100-continue');

  test('gets the final status of a refused request without an invitation to send the body', async () => {
    expect(await exchange(expecting('/refused', 2))).toMatch(
      /^HTTP\/1.1 401 .+\r\n(.+\r\n)*connection: close\r\n/,
    );
  });

  test('gets 413 for a body above the limit of the route, without an invitation to send it', async () => {
    expect(await exchange(expecting('/small', 11))).toMatch(/^HTTP\/1.1 413 /);
  });

  test('gets the invitation when the body is wanted, and the response to it', async () => {
    const client = connectToApp();
    client.write(expecting('/read', 2));
    expect(String(await once(client, 'data'))).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.write('{}');

    expect(String(await once(client, 'data'))).toContain('{"length":2}');
    client.destroy();
  });

  test('of any other value is ignored', async () => {
    const response = await exchange(
      head('/read', 'Content-Length: 2', 'Expect: wonders', 'Connection: close'),
      '{}',
    );

    expect(response).toMatch(/^HTTP\/1.1 200 /);
  });
});
