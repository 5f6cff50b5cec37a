import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance, type onRequestHookHandler } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginResponse, clientErrorHandler } from './connections.ts';

const headers = { 'x-content-type-options': 'nosniff', 'strict-transport-security': 'max-age=31536000' };

let app: FastifyInstance;
/** The handler of `/slow` resolves the first promise when it has begun, and responds after the second one resolves. */
let begun: PromiseWithResolvers<void>;
let released: PromiseWithResolvers<void>;
beforeEach(async () => {
  begun = Promise.withResolvers();
  released = Promise.withResolvers();
  app = fastify({
    clientErrorHandler: clientErrorHandler(headers),
    // Node checks for late requests at this interval.
    http: { connectionsCheckingInterval: 20 },
  });
  app.server.on('request', beginResponse);
  app.get('/slow', async () => {
    begun.resolve();
    await released.promise;
    return 'slow';
  });
  app.post('/read', async () => 'read');
  const onRequest: onRequestHookHandler = (_request, reply) => void reply.code(401).send();
  app.post('/early', { onRequest }, async () => 'late');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

/** Connects and sends the bytes. */
function open(bytes: string) {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
  socket.write(bytes);
  return socket;
}

/** Sends the bytes, and reads until the server closes the connection. */
const exchange = (bytes: string): Promise<string> => text(open(bytes));

/** The status line, the headers by name and the body of one response. */
function parse(response: string) {
  const [head = '', body = ''] = response.split('\r\n\r\n', 2);
  const [statusLine, ...lines] = head.split('\r\n');
  const fields = Object.fromEntries(lines.map((line) => line.split(': ', 2)));
  return { statusLine, fields, body };
}
const countResponses = (received: string): number => received.split('HTTP/1.1 ').length - 1;

const local = 'Host: localhost\r\n';
const json = `${local}Content-Type: application/json\r\n`;
const chunked = `POST /read HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`;

const large = ['413 Payload Too Large', 'BODY_TOO_LARGE'] as const;
const long = ['431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE'] as const;
const malformed = ['400 Bad Request', 'MALFORMED_REQUEST'] as const;
const refused: Record<string, [bytes: string, status: string, code: string]> = {
  'no HTTP': ['nonsense\r\n\r\n', ...malformed],
  'an unknown method': [`BREW / HTTP/1.1\r\n${local}\r\n`, ...malformed],
  'an unknown version': [`GET / HTTP/3.1\r\n${local}\r\n`, ...malformed],
  'a header without a name': [`GET / HTTP/1.1\r\n${local}: x\r\n\r\n`, ...malformed],
  'two lengths of the body': [
    `POST / HTTP/1.1\r\n${local}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ...malformed,
  ],
  'a broken chunk': [`${chunked}zz\r\n`, ...malformed],
  'a long chunk extension': [`${chunked}1;${'a'.repeat(20_000)}\r\n`, ...large],
  'long headers': [`GET / HTTP/1.1\r\n${local}X-Long: ${'a'.repeat(400_000)}\r\n\r\n`, ...long],
  'a long address': [`GET /${'a'.repeat(400_000)}`, ...long],
};

test('an unknown method is answered with one problem and the security headers, as is what is no request, and the connection is closed', async () => {
  for (const [name, [bytes, status, code]] of Object.entries(refused)) {
    const received = await exchange(bytes);
    const { statusLine, fields, body } = parse(received);
    expect([statusLine, countResponses(received)], name).toEqual([`HTTP/1.1 ${status}`, 1]);
    expect(JSON.parse(body), name).toMatchObject({ code, status: Number.parseInt(status, 10) });
    expect(fields, name).toMatchObject({
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    });
    expect(Date.parse(fields.date ?? fields.Date), name).not.toBeNaN();
  }
  const { body } = parse(await exchange(`GET /read?q=тихая HTTP/1.1\r\n${local}\r\n`));
  expect(JSON.parse(body).detail).toContain('percent-encoded');
  // Node applies the larger timeout to the whole request.
  Object.assign(app.server, { headersTimeout: 50, requestTimeout: 50 });
  for (const bytes of [
    `GET / HTTP/1.1\r\n${local}`,
    `POST /read HTTP/1.1\r\n${json}Content-Length: 9\r\n\r\n{`,
  ]) {
    const { statusLine, fields, body } = parse(await exchange(bytes));
    expect([statusLine, JSON.parse(body).code]).toEqual(['HTTP/1.1 408 Request Timeout', 'REQUEST_TIMEOUT']);
    expect(fields).toMatchObject(headers);
  }
});

test('a request that is under way gets no other response when nonsense follows it', async () => {
  const socket = open(`GET /slow HTTP/1.1\r\n${local}\r\n`);
  await begun.promise;
  socket.write('nonsense\r\n\r\n');

  expect(await text(socket).catch((error) => error.code)).toMatch(/^$|ECONNRESET/);
  released.resolve();
});

test('a request that was answered early gets no second response when its body is broken or never ends', async () => {
  Object.assign(app.server, { headersTimeout: 200, requestTimeout: 200 });
  for (const bytes of ['zz\r\n', '1\r\n']) {
    const socket = open(`POST /early HTTP/1.1\r\n${local}Transfer-Encoding: chunked\r\n\r\n`);
    const [early] = await once(socket, 'data');
    socket.write(bytes);
    const more = await text(socket).catch(() => '');

    expect([parse(early).statusLine, more]).toEqual(['HTTP/1.1 401 Unauthorized', '']);
  }
});
