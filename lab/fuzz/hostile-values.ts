/** Values that have broken other programs, and how generated requests mix them in. */

import fc from 'fast-check';
import { paths, screenPatterns } from '../../contract/paths.ts';

/** Texts that have broken other programs. */
const hostileTexts = [
  ...['', ' ', '\u0000', 'a\u0000b', '\n', 'a\r\nSet-Cookie: b=c', '\ud800', 'a\udc00b', '\u202Ekoob'],
  ...['\u2066a', '\uFEFF', '\u200B', 'e\u0301', '\u212A', 'İ', 'ﷺ', '👩‍👩‍👧‍👦', '𝕊', '\uFFFF'],
  ...['Å'.repeat(300), '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined'],
  ...['true', '[object Object]', 'NaN', 'Infinity', '-Infinity', '1e400', '-0', '0x10', '1_000', ' 1'],
  ...['9007199254740993', '1.999', '٣', '1,5', "'; drop table books --", '" OR 1=1', '%', '_', '\\', '*'],
  ...['"', '$&', '{{7*7}}', '%00', '%ED%A0%80', '../../etc', '<script>alert(1)</script>'],
  ...['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'a'.repeat(64)],
  ...['a'.repeat(65), 'a'.repeat(501), 'a'.repeat(2001), 'a'.repeat(10_000), '紅'.repeat(700)],
  ...['nobody@example.com', 'https://user:pass@evil.example/', 'https://covers.example/é.jpg'],
  `/images/${'0'.repeat(32)}.webp`,
];

/** Bodies that are no JSON object, or JSON that parsers read in more than one way. */
export const hostileBodies: readonly (string | Uint8Array)[] = [
  ...['', ' ', 'null', '[]', '{', '{}', '{"a":1,}', "{'a':1}", '\ufeff{}', 'NaN', '1e999', '"text"'],
  ...['{}{}', '{}\u0000', '{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}'],
  ...['{"title":"a","title":"b"}', '{"title":"\\ud800","author":"\\udc00"}', '{"title":"\\u0000"}'],
  ...['{"price":{"value":1e400}}', '['.repeat(30_000), '{"a":'.repeat(10_000), `[${'1,'.repeat(20_000)}1]`],
  `"${'a'.repeat(70_000)}"`,
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
];

export const contentTypes = [
  ...['application/json', 'application/json; charset=utf-8', 'application/json\t;', ' application/JSON'],
  ...['application/json; charset=utf-16', 'application/problem+json', 'application/jsonx', 'text/plain'],
  ...['text/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...['multipart/form-data; boundary=', 'nonsense', '/', ';'],
];

/** Header values as `node:http` sends them: no control characters, Latin-1 only. */
export const hostileHeaders: Readonly<Record<string, readonly string[]>> = {
  accept: ['text/html', '*/*', 'application/json', 'text/html;q=0', ';;;', ',', 'a'.repeat(3_000)],
  'accept-encoding': ['gzip', 'br', 'gzip, br', '*', 'identity;q=0', 'gzip;q=nan', ',,,', 'a'.repeat(3_000)],
  'accept-language': ['de', '*', '\u00ff'],
  authorization: ['Bearer', 'Bearer x', 'Basic YTpi', 'Bearer '.repeat(300)],
  'content-encoding': ['gzip', 'br', 'identity'],
  'if-none-match': ['*', '"a"', 'W/"a"', '"', ','.repeat(500)],
  'if-modified-since': ['yesterday', 'Sat, 21 Nov 2026 00:00:00 GMT'],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'bytes=0-,0-,0-', 'lines=1-2'],
  origin: ['null', 'https://evil.example', 'http://localhost:3000', 'a b', ''],
  'sec-fetch-site': ['same-origin', 'same-site', 'cross-site', 'none', 'nowhere'],
  'access-control-request-method': ['DELETE', 'TRACE', ''],
  'x-forwarded-for': ['127.0.0.1', '1.2.3.4, 5.6.7.8', 'unknown', '[::1]:1', 'a'.repeat(1_000)],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['https', 'javascript'],
  'x-http-method-override': ['DELETE'],
  'x-request-id': ['a', '\u00e9', '"', 'a'.repeat(500)],
  'idempotency-key': ['', 'a', 'a b', '\u00e9', 'k'.repeat(255), 'k'.repeat(256), '__proto__'],
  upgrade: ['websocket', 'h2c'],
  te: ['trailers'],
  forwarded: ['for=127.0.0.1;host=evil.example'],
};

export const hostileCookies = [
  ...['', '=', ';', 'a', 'colophon-session', 'colophon-session=', 'colophon-session=forged'],
  ...['a=b; a=c; __proto__=d', 'colophon-session="quoted"', 'colophon-session=%00', 'colophon-session=%'],
  ...['colophon-session=\u00ff', 'colophon-sign-in-a=b'],
  'colophon-sign-in-a b=1; colophon-sign-in-a c=1; colophon-sign-in-a d=1; colophon-sign-in-\u00ff=1',
  ...['colophon-sign-in-0123456789abcdef=a.b.c.d.e', `a=${'b'.repeat(6_000)}`, '__Host-colophon-session=a'],
  ...[`colophon-session=${'a'.repeat(3_000)}`, 'constructor=x; toString=y'],
];

/** Addresses without a description: pages, files, and attempts to leave the folder of the files. */
export const otherPaths = [
  ...screenPatterns.map((pattern) => pattern.replace(/:\w+/, 'some-id')),
  paths.openApi,
  paths.signInPopupScript,
  ...['/assets/', '/assets/none.js', '/favicon.svg', '/index.html', '/../package.json'],
  ...['/..%2fpackage.json', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/index.html'],
  ...['/%5c..%5cpackage.json', '/.vite/manifest.json', '/%', '/%E0%A4%A', '//evil.example/books'],
  ...['/books/', '/BOOKS', '/book/', '/book//', '/book/a/b', '/%00', '/.env', '/.git/config', '*'],
  ...['http://evil.example/books', '/a'.repeat(1_000), '/__proto__', '/constructor', '/books;a=b'],
  ...['/books#a', '/\u00e9', '/book/%2e%2e', '/book/.', '/images/..%2fa.webp'],
];

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

/** Mostly one of {@link hostileTexts}. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  fc.string({ unit: 'binary', maxLength: 50 }),
);

/** Any JSON value, mostly a hostile text. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  fc.constantFrom<unknown>(
    ...[null, true, false, 0, -0, -1, 1.005],
    0.1 + 0.2,
    1e21,
    1e308,
    5e-324,
    2 ** 53,
    9_999_999.99,
    10_000_000,
    [],
    {},
    [[]],
    ['a'],
    { value: 1 },
    { value: { value: 1 } },
    { length: 5 },
    nested(500),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly `usual`, sometimes `unusual`. */
export const mostly = <Value>(usual: fc.Arbitrary<Value>, unusual: fc.Arbitrary<Value>, weight = 6) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });
