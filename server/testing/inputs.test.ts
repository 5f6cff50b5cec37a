/** Properties of every route. */

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { exchange } from './exchange.ts';
import { responseFaults } from './response-faults.ts';
import { type ApiDescription, type ApiOperation, valuesOf } from './schema-values.ts';
import { examplesOf } from './test-database.ts';
import { emma, hasStack, readJson, shareTestStore } from './test-store.ts';

const publicUrl = new URL('http://localhost:3000');
const admin = { sub: 'admin', email: 'admin@example.com' };
const stacks: string[] = [];
const store = shareTestStore({
  settings: { publicUrl, adminEmails: [admin.email], hasRateLimits: false },
  onLog: (line) => hasStack(line) && stacks.push(line),
});
let description: ApiDescription;
/** A book that requests may read, change and delete. */
let bookId: string;
beforeAll(async () => {
  description = await readJson<ApiDescription>(await store.call(paths.openApi));
  bookId = (await addBook(store.database.db, emma, null)).id;
});

/** Texts that have broken other programs. */
const hostileTexts = [
  ...['', ' ', '\u0000', 'a\r\nb: c', '\ud800', '\u202Ekoob', '\u212A', '👩‍👩‍👧‍👦', '__proto__'],
  ...['constructor', 'null', 'NaN', '1e400', '-1', '1.999', '9007199254740993', "'; drop table books --"],
  ...['%', '_', '\\', '"', '$&', '../../etc', '<script>', 'javascript:alert(1)'],
  ...['https://user:pass@evil.example/', 'a'.repeat(10_000)],
];
const otherValues = [null, true, -1, 1e21, 0.1 + 0.2, [], {}, ['a']];
const hostileValues = fc.constantFrom<unknown>(...hostileTexts, ...otherValues);

/** What clients and proxies send besides, and what attackers try. */
const oddHeaders = Object.entries({
  accept: ['text/html', 'text/html;q=0', ';;;'],
  'accept-encoding': ['identity;q=0', 'gzip;q=nan', ',,,'],
  authorization: ['Bearer', 'Basic YTpi', 'Bearer '.repeat(300)],
  'content-encoding': ['gzip'],
  'content-type': ['application/json; charset=utf-16', 'multipart/form-data', 'nonsense', '/'],
  cookie: ['=', 'colophon-session=%', `a=${'b'.repeat(6_000)}`, 'a=b; __proto__=d', 'colophon-sign-in-a=b'],
  'idempotency-key': ['a b', '\u00e9', 'k'.repeat(256), '__proto__'],
  'if-none-match': ['*', '"', ','.repeat(500)],
  origin: ['null', 'https://evil.example', 'a b'],
  range: ['bytes=9-1', 'bytes=0-,0-,0-'],
  'sec-fetch-site': ['cross-site', 'nowhere'],
  'x-forwarded-for': ['unknown', 'a'.repeat(1_000)],
  'x-forwarded-host': ['evil.example'],
  'x-http-method-override': ['DELETE'],
}).flatMap(([name, values]) => values.map((value): Odd => ({ headers: { [name]: value } })));
/** No JSON, or JSON that parsers read in more than one way. */
const oddBodies = [
  '',
  'null',
  '{',
  '{"a":1,}',
  '\ufeff{}',
  '1e999',
  '['.repeat(30_000),
  '{"a":"\ud800"}',
].map((body): Odd => ({ headers: {}, body }));
/** In addition to a request, or in place of a part of it. */
type Odd = { headers: Record<string, string>; body?: string };

/** Valid values, some with a member that is hostile. */
const spoiled = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), fc.option(hostileValues, { freq: 1 })).map(([value, place, hostile]) => {
    if (hostile === null) return value;
    const names = Object.keys(Object(value));
    const name = names[place % names.length];
    return name === undefined ? hostile : { ...Object(value), [name]: hostile };
  });

/** A text as a part of an address, also where it is not well-formed. One or two dots would lead to another address. */
const encode = (text: string): string => {
  if (!text.isWellFormed()) return '%ED%A0%80';
  return /^\.\.?$/.test(text) ? '...' : encodeURIComponent(text);
};

/** Requests of an operation. Each value is as the description declares it, hostile, or the id of a book. */
function requestsOf(pattern: string, method: string, { parameters = [], requestBody }: ApiOperation) {
  const schema = requestBody?.content['application/json']?.schema;
  const values = parameters.map((parameter) => {
    const valid = valuesOf(parameter.schema, description);
    if (parameter.in === 'header') return valid;
    return fc.oneof(valid, fc.constant(bookId), fc.constantFrom(...hostileTexts));
  });
  return fc
    .record({
      made: fc.tuple(...values),
      json: schema ? spoiled(valuesOf(schema, description)) : fc.constant(undefined),
      // A signed-in client that signs out would end the session of all other examples.
      isSignedIn: pattern === paths.signOut ? fc.constant(false) : fc.constantFrom(true, true, true, false),
      odd: fc.option(fc.constantFrom(...oddHeaders, ...(schema ? oddBodies : []))),
    })
    .map(({ made, ...request }) => {
      const filled = parameters.map((parameter, index) => ({ ...parameter, value: String(made[index]) }));
      const inPlace = (place: string) => filled.filter((one) => one.in === place);
      const path = inPlace('path').reduce(
        (address, { name, value }) => address.replace(`{${name}}`, () => encode(value)),
        pattern,
      );
      const query = inPlace('query').map(({ name, value }) => `${name}=${encode(value)}`);
      const headers = Object.fromEntries(inPlace('header').map(({ name, value }) => [name, value]));
      return {
        operation: `${method} ${pattern}`,
        method,
        path: `${path}?${query.join('&')}`,
        headers,
        ...request,
      };
    });
}

async function send(path: string, init: RequestInit) {
  const response = await store.call(path, init);
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

test('every request gets a declared response or a problem with a known code, and logs no stack', {
  timeout: 60_000,
}, async () => {
  const cookie = await store.signIn(admin);
  const findFaults = responseFaults(description, publicUrl.origin);
  for (const [pattern, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const requests = requestsOf(pattern, method.toUpperCase(), operation);
      const isAllowed = fc.asyncProperty(requests, async ({ json, isSignedIn, odd, ...request }) => {
        const body = odd?.body ?? JSON.stringify(json);
        const headers = {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(isSignedIn && { cookie }),
          ...request.headers,
          ...odd?.headers,
        };

        const received = await send(request.path, { method: request.method, headers, body: body ?? null });

        const sent = odd?.body === undefined ? json : undefined;
        expect(findFaults({ ...request, headers, json: sent }, received), JSON.stringify(odd)).toEqual([]);
      });

      await fc.assert(isAllowed, { numRuns: examplesOf(40) });
    }
  }
  expect(stacks).toEqual([]);
});

/** Calls whose sessions and tokens differ from those of others: their own tests show these refusals. */
const others: Readonly<Record<string, readonly string[]>> = {
  401: [paths.metrics, paths.signOut],
  403: [paths.metrics],
};

test('each call that may be refused with 400, 401, 403 or 415 is when it names two hosts, has no session, comes from another site, or has a body of another type', async () => {
  const refused: [status: string, headers: string[]][] = [
    ['400', ['Host: evil.example']],
    ['401', []],
    ['403', ['Sec-Fetch-Site: cross-site', `Cookie: ${await store.signIn()}`]],
    ['415', ['Content-Type: text/plain', `Cookie: ${await store.signIn(admin)}`]],
  ];
  for (const [status, headers] of refused) {
    const calls = Object.entries(description.paths).flatMap(([pattern, methods]) =>
      Object.keys(methods)
        .filter((name) => methods[name] && status in methods[name].responses)
        .filter(() => !others[status]?.includes(pattern))
        .map((name) => `${name.toUpperCase()} ${pattern.replace(/\{\w+\}/, 'unknown')}`),
    );
    const answers = calls.map((call) => {
      const lines = [`${call} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close'];
      const body = call.startsWith('GET') ? '\r\n' : 'Content-Length: 1\r\n\r\nx';
      return exchange(store.origin, `${lines.join('\r\n')}\r\n${body}`);
    });
    const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12));

    expect(calls.length, status).toBeGreaterThan(15);
    expect(Object.fromEntries(calls.map((call, index) => [call, statuses[index]]))).toEqual(
      Object.fromEntries(calls.map((call) => [call, status])),
    );
  }
});

test('each call that names something the store does not have gets 404', async () => {
  const cookie = await store.signIn(admin);
  const calls = Object.entries(description.paths)
    .filter(([pattern]) => pattern.includes('{id}'))
    .flatMap(([pattern, methods]) =>
      Object.entries(methods).map(([name, operation]) => ({ pattern, name, operation })),
    )
    .filter(({ operation }) => '404' in operation.responses);
  const statuses = calls.map(async ({ pattern, name, operation: { requestBody } }) => {
    const schema = requestBody?.content['application/json']?.schema;
    const [json] = schema ? fc.sample(valuesOf(schema, description), { seed: 1, numRuns: 1 }) : [];
    const headers = { cookie, 'if-match': '*', ...(schema && { 'content-type': 'application/json' }) };
    const path = pattern.replace('{id}', 'unknown');
    const body = schema ? JSON.stringify(json) : null;
    return [`${name} ${pattern}`, (await send(path, { method: name.toUpperCase(), headers, body })).status];
  });

  expect(calls.length).toBeGreaterThan(20);
  expect(Object.fromEntries(await Promise.all(statuses))).toEqual(
    Object.fromEntries(calls.map(({ name, pattern }) => [`${name} ${pattern}`, 404])),
  );
});

/** Attempts to leave the folder of the pages' files, and addresses beside those of a route. */
const otherPaths = `
  /assets/ /index.html /..%2fpackage.json /assets/..%2f..%2fpackage.json /%5c..%5cpackage.json /.vite/manifest.json
  /.env /% /%00 /%E0%A4%A //evil.example/books /books/ /BOOKS /book// /book/a/b /book/%2e%2e%2f /__proto__
  /images/..%2fa.webp /${'a/'.repeat(1_000)}`.match(/\S+/g);

test('an address or a method that no route has gets a problem or a page, and no file of the store', async () => {
  const findFaults = responseFaults(description, publicUrl.origin);
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
  for (const path of [...(otherPaths ?? []), ...Object.keys(description.paths)]) {
    for (const method of methods.filter((one) => !description.paths[path]?.[one.toLowerCase()])) {
      const received = await send(path, { method });

      const request = { operation: 'other', method, headers: {}, json: undefined };
      expect(findFaults(request, received), `${method} ${path}`).toEqual([]);
      expect(String(received.body)).not.toContain('devDependencies');
    }
  }
  expect(stacks).toEqual([]);
});
