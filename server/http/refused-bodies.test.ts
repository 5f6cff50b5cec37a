import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

const open = ({ allowHalfOpen = false } = {}) => {
  const { port } = app.server.address() as AddressInfo;
  // The response must be readable although sending fails later.
  return connect({ port, host: '127.0.0.1', allowHalfOpen }).on('error', () => {});
};

const head = (path: string, ...headers: string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;
const closing = (status: number) =>
  new RegExp(`^HTTP/1.1 ${status} .+\\r\\n(.+\\r\\n)*connection: close\\r\\n`);

/** Sends all of it before it reads, and closes no side. @returns everything that the server sends until it ends. */
const exchange = async (...parts: (string | Buffer)[]) => {
  const client = open({ allowHalfOpen: true });
  for (const part of parts) client.write(part);
  return await text(client);
};

describe('a refused request', () => {
  test('closes its connection, without reading more than a little of a large body', async () => {
    const length = 16 * megabyte;

    const response = await exchange(head('/refused', `Content-Length: ${length}`), Buffer.alloc(length));

    expect(response).toMatch(closing(401));
    expect(response).toContain('"code":"SIGN_IN_REQUIRED"');
    const socket = await socketOfServer;
    await once(socket, 'close');
    expect(socket.bytesRead).toBeLessThan(megabyte);
  });

  test('lets its client finish a body of some 100 KB, and is the last of its connection: what follows it is not served', async () => {
    const client = open();
    const failed = vi.fn();
    // An early reset would be an error here.
    client.on('error', failed);
    const sent = Buffer.alloc(100 * 1024);
    client.write(head('/refused', `Content-Length: ${2 * sent.length}`));
    client.write(sent);
    await once(client, 'data');
    client.write(sent);
    client.end(`${head('/read', 'Content-Length: 2')}{}`);
    await once(client.resume(), 'close');

    expect((await socketOfServer).bytesRead).toBeGreaterThan(2 * sent.length);
    expect(failed).not.toHaveBeenCalled();
    expect(handled).toEqual(['/refused']);
  });

  test('with a small body keeps its connection', async () => {
    const client = open();
    client.write(`${head('/refused', 'Content-Length: 2')}{}`);
    const [response] = await once(client, 'data');
    client.write(`${head('/read', 'Content-Length: 2', 'Connection: close')}{}`);

    expect(String(response)).toMatch(/^HTTP\/1.1 401 /);
    expect(String(response)).not.toMatch(/connection: close/i);
    expect(await text(client)).toContain('{"length":2}');
  });

  test('with a chunked body, or an address that cannot be read, closes its connection too', async () => {
    const chunk = 'a\r\n0123456789\r\n';
    expect(await exchange(head('/refused', 'Transfer-Encoding: chunked'), chunk)).toMatch(closing(401));
    const large = [head('/%zz', `Content-Length: ${megabyte}`), Buffer.alloc(megabyte)];
    expect(await exchange(...large)).toMatch(closing(400));
  });
});

test('Expect: 100-continue gets an invitation to send the body where it is wanted, and otherwise the final status', async () => {
  const expecting = (path: string, length: number) =>
    head(path, `Content-Length: ${length}`, 'Expect: 100-continue');
  expect(await exchange(expecting('/refused', 2))).toMatch(closing(401));
  // Above the limit of the route.
  expect(await exchange(expecting('/small', 11))).toMatch(/^HTTP\/1.1 413 /);

  const client = open();
  client.write(expecting('/read', 2));
  expect(String(await once(client, 'data'))).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  client.write('{}');
  expect(String(await once(client, 'data'))).toContain('{"length":2}');
  client.destroy();
});
