/**
 * Requests as clients may send them, valid, nearly valid and hostile, made from the store's own description of its API
 * (`/openapi.json`). The tests send some of them, `npm run fuzz` many.
 */

import fc from 'fast-check';
import { paths } from '../../contract/paths.ts';
import type { SentRequest } from '../../server/testing/response-faults.ts';
import { type ApiOperation, type ApiParameter, valuesOf } from '../../server/testing/schema-values.ts';
import { type GeneratedBody, jsonBodies, noBody, uploads } from './bodies.ts';
import { hostileCookies, hostileHeaders, hostileText, mostly, otherPaths } from './hostile-values.ts';
import type { StoreContents } from './store-contents.ts';

export type GeneratedRequest = SentRequest & {
  /** Only characters that `node:http` sends. */
  path: string;
  body: GeneratedBody['body'];
};

/** @returns requests of every operation of the description, and of addresses that it lacks. */
export function generatedRequests(contents: StoreContents): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries(contents.description.paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestsOf(contents, method.toUpperCase(), pattern, operation),
    ),
  );
  return fc.oneof(
    { weight: operations.length * 6, arbitrary: fc.oneof(...operations) },
    {
      weight: operations.length,
      arbitrary: otherRequests(contents),
    },
  );
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

function requestsOf(
  contents: StoreContents,
  declaredMethod: string,
  pattern: string,
  operation: ApiOperation,
): fc.Arbitrary<GeneratedRequest> {
  const { parameters = [], requestBody } = operation;
  const json = requestBody?.content['application/json'];
  const isUpload = requestBody?.content['multipart/form-data'] !== undefined;
  const body = isUpload ? uploads(contents) : json ? jsonBodies(contents, operation, json.schema) : noBody;
  return fc
    .record({
      method: mostly(fc.constant(declaredMethod), fc.constantFrom(...methods), 15),
      path: pathsOf(contents, pattern, parameters),
      query: queries(contents, parameters),
      body,
      headers: headersOf(contents, parameters, pattern === paths.signOut),
    })
    .map(({ method, path, query, body: { contentType, ...body }, headers }) => ({
      operation: `${declaredMethod} ${pattern}`,
      method,
      path: path + query,
      headers: contentType === undefined ? headers : { 'content-type': contentType, ...headers },
      ...body,
    }));
}

const otherRequests = (contents: StoreContents): fc.Arbitrary<GeneratedRequest> =>
  fc
    .record({
      method: mostly(fc.constant('GET'), fc.constantFrom(...methods)),
      path: fc.constantFrom(...otherPaths),
      headers: headersOf(contents, [], true),
    })
    .map((request) => ({ operation: 'other', ...request, body: undefined, json: undefined }));

/** A text as a part of an address: percent-encoded, also where it is not well-formed. */
const encode = (text: string): string =>
  [...text].map((letter) => (letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80')).join('');

function pathsOf(contents: StoreContents, pattern: string, parameters: readonly ApiParameter[]) {
  const parameter = parameters.find((one) => one.in === 'path');
  if (!parameter) return fc.constant(pattern);
  const values = mostly(parameterValues(contents, parameter), hostileText, 4);
  return values.map((value) => pattern.replace(/\{\w+\}/, () => encode(String(value))));
}

function queries(contents: StoreContents, parameters: readonly ApiParameter[]): fc.Arbitrary<string> {
  const declared = parameters.filter((one) => one.in === 'query');
  const pairs = declared.map((parameter) =>
    fc
      .tuple(mostly(parameterValues(contents, parameter), hostileText, 4), fc.integer({ min: 0, max: 9 }))
      .map(([value, kind]) => {
        const pair = `${parameter.name}=${encode(String(value))}`;
        if (kind < 4) return '';
        return kind < 8 ? pair : kind === 8 ? `${pair}&${pair}` : pair.replace('=', '[]=');
      }),
  );
  const unknown = fc.constantFrom('', 'a=b', '__proto__=1', '%', '&&=&', `a=${'b'.repeat(4_000)}`, 'q', '=');
  return fc
    .tuple(mostly(fc.constant(''), unknown), ...pairs)
    .map((parts) => parts.filter((part) => part !== '').join('&'))
    .map((query) => (query === '' ? '' : `?${query}`));
}

function parameterValues(
  { books, customers, imageFiles, description }: StoreContents,
  parameter: ApiParameter,
) {
  const stored: Record<string, readonly string[]> = {
    id: books.map(({ id }) => id),
    cursor: books.map(({ id }) => id),
    q: books.flatMap(({ title, author }) => `${title} ${author}`.split(' ')),
    email: customers.map(({ email }) => email),
    file: imageFiles,
  };
  const values = stored[parameter.name] ?? [];
  const others = valuesOf(parameter.schema, description);
  return values.length === 0 ? others : mostly<unknown>(fc.constantFrom(...values), others, 4);
}

function headersOf(
  { customers, spareCookie, description }: StoreContents,
  parameters: readonly ApiParameter[],
  mayEndSession: boolean,
): fc.Arbitrary<Record<string, string>> {
  const cookies = customers.map(({ cookie }) => cookie);
  // The admin's as often as all others.
  const live = mayEndSession
    ? fc.constant(spareCookie)
    : fc.oneof(fc.constant(cookies[0] ?? spareCookie), fc.constantFrom(...cookies));
  const cookie = mostly(live, fc.constantFrom(...hostileCookies), 5);
  const declared = parameters
    .filter((one) => one.in === 'header')
    .map(({ name, schema }) => [name, fc.option(valuesOf(schema, description), { nil: '' })] as const);
  const odd = fc
    .constantFrom(...Object.entries(hostileHeaders))
    .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values)));
  return fc
    .tuple(
      fc.option(cookie, { freq: 4, nil: undefined }),
      fc.record(Object.fromEntries(declared)),
      fc.array(odd, { maxLength: 3, size: 'small' }),
    )
    .map(([value, record, others]) => {
      const texts = Object.entries(record).map(([name, one]) => [name, String(one)] as const);
      return {
        ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
        ...Object.fromEntries(others),
        ...(value === undefined ? {} : { cookie: value }),
      };
    });
}
