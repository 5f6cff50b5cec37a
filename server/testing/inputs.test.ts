/** Properties of every route. */

import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Book, NewBook } from '../../contract/book.ts';
import { byField, shownFields, textOfSent } from '../../contract/book-fields.ts';
import { tidyAddress } from '../../contract/delivery-address.ts';
import type { NewOrder } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { hyphenateIsbn } from '../catalogue/hyphenate-isbn.ts';
import { problemCodes } from '../http/problems.ts';
import { exchange } from './exchange.ts';
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
  ajv.addSchema(description, 'api');
});
const ajv = new Ajv({ strict: false, validateFormats: false });

/** Texts that have broken other programs. */
const hostileTexts = [
  ...['', ' ', '\u0000', 'a\r\nb: c', '\ud800', '\u202Ekoob', '\u212A', '👩‍👩‍👧‍👦', '__proto__'],
  ...['constructor', 'null', 'NaN', '1e400', '-1', '1.999', '9007199254740993', "'; drop table books --"],
  ...['%', '_', '\\', '"', '$&', '../../etc', '<script>', 'javascript:alert(1)'],
  ...['https://user:pass@evil.example/', 'a'.repeat(10_000)],
];
const otherValues = [null, true, -1, 1e21, 0.1 + 0.2, [], {}, ['a']];
const hostileValues = fc.constantFrom<unknown>(...hostileTexts, ...otherValues);

/** Headers that clients and proxies add, and those that attackers try. */
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
/** Bodies that are no JSON, or JSON that parsers read in more than one way. */
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
/** Hostile values that are added to a request, or replace a part of it. */
type Odd = { headers: Record<string, string>; body?: string };

/** Valid values, some of them with a hostile member. */
const spoiled = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), fc.option(hostileValues, { freq: 1 })).map(([value, place, hostile]) => {
    if (hostile === null) return value;
    const names = Object.keys(Object(value));
    const name = names[place % names.length];
    return name === undefined ? hostile : { ...Object(value), [name]: hostile };
  });

/** Encodes a text as a part of an address, even ill-formed text. One or two dots would lead to another address. */
const encode = (text: string): string => {
  if (!text.isWellFormed()) return '%ED%A0%80';
  return /^\.\.?$/.test(text) ? '...' : encodeURIComponent(text);
};

/** Requests of an operation. Each value is valid by the description, or hostile, or the id of a book. */
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

/** `operation`: method and pattern, such as `POST /addBook`; empty for an address that is not in the description. */
type Sent = { operation: string; method: string; headers: Readonly<Record<string, string>>; json: unknown };
type Received = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Names that only the store's own code has. */
const internals = /node_modules|\.ts:\d|at \w+ \(|SQLITE|sqlite3?_|violates|relation "|Kysely|pg_/;

/** @returns a sentence for each fault that no response of the store may have, whatever the request. */
function* faultsOf(sent: Sent, received: Received): Generator<string> {
  const { status, headers, body } = received;
  const isBusy = status === 503 && headers['retry-after'] !== undefined;
  if (status >= 500 && !isBusy) yield `the status is ${status}`;
  if (sent.method !== 'HEAD')
    yield* status >= 400 ? problemFaults(sent, received) : successFaults(sent, received);
  if (headers['x-content-type-options'] !== 'nosniff') yield 'the header x-content-type-options is missing';
  const isText = status >= 400 && !headers['content-type']?.startsWith('image/');
  const internal = isText && internals.exec(String(body))?.[0];
  if (internal) yield `the body reveals "${internal}"`;
}

/** Checks an error: it is a problem with a known code, an error of imgbb's API, or a page for a browser. */
function* problemFaults({ operation, method, headers: sent }: Sent, { status, headers, body }: Received) {
  const [declaredMethod = '', pattern = ''] = operation.split(' ');
  const { 'content-type': type = '', 'cache-control': cached } = headers;
  const isPage = type.startsWith('text/html') && String(sent['accept']).includes('text/html');
  if (isPage && [404, 405, 421].includes(status)) return;
  if (!/^application\/(problem\+)?json/.test(type))
    return void (yield `the content type of an error is "${type}"`);
  const problem = JSON.parse(String(body));
  const isImgbb = operation === 'POST /1/upload' && type.startsWith('application/json');
  const code = isImgbb ? problem.status_txt : problem.code;
  if (!problemCodes.has(code)) yield `the code is ${JSON.stringify(code)}`;
  const { responses = {} } = description.paths[pattern]?.[declaredMethod.toLowerCase()] ?? {};
  const isDeclared = (responses[status] ?? responses['default'])?.description.includes(`\`${code}\``);
  // A hostile parameter may change the address.
  const isOfRoute = declaredMethod === method && code !== 'NOT_FOUND';
  if (isOfRoute && !isDeclared) yield `the code ${code} is not declared for ${status}`;
  if ((isImgbb ? problem.status_code : problem.status) !== status) yield 'the body has another status';
  if (cached !== 'no-store') yield `cache-control of an error is "${cached}"`;
}

/** Checks a success: its status and its body are as declared. */
function* successFaults({ operation, method, json }: Sent, { status, headers, body }: Received) {
  const [declaredMethod = '', pattern = ''] = operation.split(' ');
  // The pages of a sign-in are not part of the API.
  if (declaredMethod !== method || status === 304 || headers['content-type']?.startsWith('text/html')) return;
  const { responses = {} } = description.paths[pattern]?.[method.toLowerCase()] ?? {};
  if (!responses[status]) yield `the status ${status} is not declared`;
  if (!responses[status]?.content?.['application/json'] || status === 204 || status >= 300) return;
  const escaped = pattern.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  const pointer = `${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
  // Ajv compiles each schema once.
  const validate = ajv.getSchema(`api#/paths/${pointer}`);
  const value = JSON.parse(String(body));
  if (!validate?.(value)) yield `the body is not as declared: ${ajv.errorsText(validate?.errors)}`;
  if (status !== 201 || json === undefined) return;
  // A stored text equals the sent text, except for white space around it and the form of an address.
  const accepted =
    pattern === paths.addBook ? acceptedBook(json as NewBook) : acceptedOrder(json as NewOrder);
  const { _id, bookId, state, placedAt, withdrawUntil, ...stored } = value;
  if (!isDeepStrictEqual(stored, accepted))
    yield `${JSON.stringify(accepted)} became ${JSON.stringify(stored)}`;
}

/** @returns an accepted book as the catalogue shows it, without its id. */
const acceptedBook = (sent: NewBook): Omit<Book, '_id'> => {
  const book = byField<Omit<Book, '_id'>>(shownFields, ({ name, kind, read }) => {
    const text = textOfSent(sent[name]).trim();
    if (kind === 'price') return { value: Number(text) };
    // A field that is empty is left out.
    return (kind === 'line' ? text : read(text, publicUrl.origin)) || undefined;
  });
  return { ...book, ...(book.isbn && { isbnText: hyphenateIsbn(book.isbn) }) };
};

/** @returns an accepted order as the store lists it, without what the store adds. */
const acceptedOrder = ({ title, author, price, time, deliveryAddress = '' }: NewOrder) => {
  const address = tidyAddress(deliveryAddress);
  return { title, author, price, time, ...(address !== null && { deliveryAddress: address }) };
};

async function send(path: string, init: RequestInit) {
  const response = await store.call(path, init);
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

test('every request gets a declared response or a problem with a known code, and logs no stack', {
  timeout: 60_000,
}, async () => {
  const cookie = await store.signIn(admin);
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
        const faults = faultsOf({ ...request, headers, json: sent }, received);
        expect([...faults], JSON.stringify(odd)).toEqual([]);
      });

      await fc.assert(isAllowed, { numRuns: examplesOf(40) });
    }
  }
  expect(stacks).toEqual([]);
});

/** Calls with unusual sessions and tokens: their own tests cover these refusals. */
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
    // A text for a page that is not there adds it.
    .filter(
      ({ operation: { responses, operationId } }) => '404' in responses && operationId !== 'changePage',
    );
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

/** Attempts to leave the folder of the pages' files, and addresses next to those of a route. */
const otherPaths = `
  /assets/ /index.html /..%2fpackage.json /assets/..%2f..%2fpackage.json /%5c..%5cpackage.json /.vite/manifest.json
  /.env /% /%00 /%E0%A4%A //evil.example/books /books/ /BOOKS /book// /book/a/b /book/%2e%2e%2f /__proto__
  /images/..%2fa.webp /${'a/'.repeat(1_000)}`.match(/\S+/g);

test('an address or a method that no route has gets a problem or a page, and no file of the store', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
  for (const path of [...(otherPaths ?? []), ...Object.keys(description.paths)]) {
    for (const method of methods.filter((one) => !description.paths[path]?.[one.toLowerCase()])) {
      const received = await send(path, { method });

      const request = { operation: '', method, headers: {}, json: undefined };
      expect([...faultsOf(request, received)], `${method} ${path}`).toEqual([]);
      expect(String(received.body)).not.toContain('devDependencies');
    }
  }
  expect(stacks).toEqual([]);
});
