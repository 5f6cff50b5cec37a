/** Bytes that no HTTP client sends, over a socket of their own. */

import { connect } from 'node:net';
import fc from 'fast-check';

/** The store's bytes until it closed the connection, and what is wrong with them. */
export type RawOutcome = { statuses: readonly number[]; faults: readonly string[] };

const get = 'GET /books HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post = (headers: string, body: string) =>
  `POST /auth/sign-out HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

const wrongRequests: readonly string[] = [
  '',
  '\r\n',
  '\r\n\r\n\r\n',
  '\u0000',
  'GET',
  'GET / ',
  'GET /\r\n\r\n',
  'GET / HTTP/1.1',
  'GET / HTTP/1.1\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/0.9\r\n\r\n',
  'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'GET / http/1.1\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'get / HTTP/1.1\r\nHost: a\r\n\r\n',
  'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET \t/ HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://evil.example/books HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a, b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost:\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a@b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
  'GET / HTTP/1.1\nHost: a\n\n',
  'GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n',
  'GET / HTTP/1.1\r\n: a\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n`,
  post('Content-Length: 100\r\n', '{'),
  post('Content-Length: -1\r\n', ''),
  post('Content-Length: 1e3\r\n', '{}'),
  post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
  post('Content-Length: 99999999999999999999\r\n', '{}'),
  post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
  post('Transfer-Encoding: gzip\r\n', '{}'),
  post('Transfer-Encoding: chunked\r\n', 'zz\r\n'),
  post('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n'),
  post('Transfer-Encoding: chunked\r\n', 'ffffffffff\r\n{}'),
  post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'),
  post('Transfer-Encoding: chunked\r\n', '2;a=b\r\n{}\r\n0\r\nTrailer: x\r\n\r\n'),
  post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
  post('Expect: nothing\r\nContent-Length: 2\r\n', '{}'),
  post('Upgrade: websocket\r\nConnection: Upgrade\r\n', ''),
  get.repeat(50),
  get + post('Content-Length: 0\r\n', '') + get,
  `${get}garbage`,
  `${get}GET /book/none HTTP/1.1\r\n`,
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'SSH-2.0-OpenSSH\r\n',
  'EHLO a\r\n',
  '*1\r\n$4\r\nPING\r\n',
];

const flaws = ['\r', '\n', '\r\n', '\u0000', ' ', ':', '\u00ff', '%', 'HTTP/1.1', 'Host: b\r\n'];

/** A right request with bytes replaced, inserted, repeated or cut off. */
const damagedRequests = fc
  .tuple(
    fc.constantFrom(get, `${get}${get}`, post('Content-Length: 2\r\n', '{}')),
    fc.array(fc.tuple(fc.nat(300), fc.nat(3), fc.constantFrom(...flaws)), { minLength: 1, maxLength: 4 }),
  )
  .map(([text, changes]) =>
    changes.reduce((damaged, [place, kind, flaw]) => {
      const at = place % (damaged.length + 1);
      if (kind === 0) return damaged.slice(0, at);
      if (kind === 1) return damaged.slice(0, at) + damaged.slice(at / 2);
      return damaged.slice(0, at) + flaw + damaged.slice(kind === 2 ? at : at + flaw.length);
    }, text),
  );

/** Bytes to send, as Latin-1. */
export const rawRequests: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...wrongRequests), damagedRequests);

/** The store's own limit for a request that does not end is longer; this client has said that no more comes. */
const timeoutMs = 10_000;

/** Sends the bytes and the end of the stream, and reads until the store closes the connection. */
export const sendRaw = (port: number, bytes: string): Promise<RawOutcome> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    const finish = (...faults: string[]) => {
      socket.destroy();
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) =>
        Number(status),
      );
      if (received !== '' && statuses.length === 0) faults.push('what came back is no response');
      const failed = statuses.find((status) => status >= 500 && status !== 503);
      if (failed !== undefined) faults.push(`the status is ${failed}`);
      const problems = received.match(/^content-type: application\/problem\+json/gim)?.length ?? 0;
      if (statuses.filter((status) => status >= 400).length !== problems) {
        faults.push('an error is no problem document');
      }
      resolve({ statuses, faults });
    };
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    socket.setTimeout(timeoutMs, () => finish(`the connection is open after ${timeoutMs / 1000} s`));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The store may close the connection before it has read everything.
      if (error.code === 'ECONNREFUSED') reject(error);
      else finish();
    });
    socket.on('close', () => finish());
    socket.end(bytes, 'latin1');
  });
