/**
 * Requests as clients may send them, valid, nearly valid and hostile, made from the store's own description of its API
 * (`/openapi.json`). The property tests send some of them, `npm run fuzz` many.
 */

import fc from 'fast-check';
import { isCleanText } from '../../contract/field-formats.ts';
import { maxCents } from '../../contract/money.ts';
import { paths } from '../../contract/paths.ts';
import {
  contentTypes,
  hostileBodies,
  hostileCookies,
  hostileHeaders,
  hostileTexts,
  otherPaths,
} from './hostile-values.ts';

/** The part of an OpenAPI schema that values are made from. */
export type ApiSchema = {
  $ref?: string;
  anyOf?: readonly ApiSchema[];
  enum?: readonly unknown[];
  type?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, ApiSchema>>;
  required?: readonly string[];
  items?: ApiSchema;
};

type ApiParameter = { name: string; in: string; schema: ApiSchema; required?: boolean };

export type ApiOperation = {
  operationId: string;
  parameters?: readonly ApiParameter[];
  requestBody?: { content: Readonly<Record<string, { schema: ApiSchema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: ApiSchema }>> }>>;
};

/** The document at `/openapi.json`. */
export type ApiDescription = {
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: { schemas: Readonly<Record<string, ApiSchema>> };
};

/** What the store has, so that some requests succeed. */
export type RequestWorld = {
  description: ApiDescription;
  /** Customers with the Cookie header of a live session; the first one is an admin. */
  customers: readonly { email: string; cookie: string }[];
  /** A session that requests may end. */
  spareCookie: string;
  books: readonly { id: string; title: string; author: string; price: number }[];
  /** File names of stored images. */
  imageFiles: readonly string[];
  /** A small image that can be uploaded. */
  image: Uint8Array;
};

export type GeneratedRequest = {
  /** Method and pattern, such as `POST /addBook`, for reports; `other` for an address that the description lacks. */
  operation: string;
  method: string;
  /** Only characters that `node:http` sends. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
  /** The JSON value of the body, where it has one. */
  json: unknown;
};

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  fc.string({ unit: 'binary', maxLength: 50 }),
);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.005,
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

/** @returns requests of every operation of the description, and of addresses that it lacks. */
export function generatedRequests(world: RequestWorld): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries(world.description.paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestsOf(world, method.toUpperCase(), pattern, operation),
    ),
  );
  return fc.oneof(
    { weight: operations.length * 6, arbitrary: fc.oneof(...operations) },
    {
      weight: operations.length,
      arbitrary: otherRequests(world),
    },
  );
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** Mostly `usual`, sometimes `unusual`. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, unusual: fc.Arbitrary<Value>, weight = 6) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });

function requestsOf(
  world: RequestWorld,
  declaredMethod: string,
  pattern: string,
  operation: ApiOperation,
): fc.Arbitrary<GeneratedRequest> {
  const { parameters = [], requestBody } = operation;
  const json = requestBody?.content['application/json'];
  const isUpload = requestBody?.content['multipart/form-data'] !== undefined;
  const body = isUpload ? uploads(world) : json ? jsonBodies(world, operation, json.schema) : noBody;
  return fc
    .record({
      method: mostly(fc.constant(declaredMethod), fc.constantFrom(...methods), 15),
      path: pathsOf(world, pattern, parameters),
      query: queries(world, parameters),
      body,
      headers: headersOf(world, parameters, pattern === paths.signOut),
    })
    .map(({ method, path, query, body: { contentType, ...body }, headers }) => ({
      operation: `${declaredMethod} ${pattern}`,
      method,
      path: path + query,
      headers: contentType === undefined ? headers : { 'content-type': contentType, ...headers },
      ...body,
    }));
}

const otherRequests = (world: RequestWorld): fc.Arbitrary<GeneratedRequest> =>
  fc
    .record({
      method: mostly(fc.constant('GET'), fc.constantFrom(...methods)),
      path: fc.constantFrom(...otherPaths),
      headers: headersOf(world, [], true),
    })
    .map((request) => ({ operation: 'other', ...request, body: undefined, json: undefined }));

/** A text as a part of an address: percent-encoded, also where it is not well-formed. */
const encode = (text: string): string =>
  [...text].map((letter) => (letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80')).join('');

function pathsOf(world: RequestWorld, pattern: string, parameters: readonly ApiParameter[]) {
  const parameter = parameters.find((one) => one.in === 'path');
  if (!parameter) return fc.constant(pattern);
  const values = mostly(parameterValues(world, parameter), hostileText, 4);
  return values.map((value) => pattern.replace(/\{\w+\}/, () => encode(String(value))));
}

function queries(world: RequestWorld, parameters: readonly ApiParameter[]): fc.Arbitrary<string> {
  const declared = parameters.filter((one) => one.in === 'query');
  const pairs = declared.map((parameter) =>
    fc
      .tuple(mostly(parameterValues(world, parameter), hostileText, 4), fc.integer({ min: 0, max: 9 }))
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
  { books, customers, imageFiles, description }: RequestWorld,
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

type GeneratedBody = Pick<GeneratedRequest, 'body' | 'json'> & { contentType: string | undefined };

const noBody: fc.Arbitrary<GeneratedBody> = mostly(
  fc.constant<GeneratedBody>({ body: undefined, json: undefined, contentType: undefined }),
  fc
    .constantFrom(...hostileBodies)
    .map((body) => ({ body, json: undefined, contentType: 'application/json' })),
  12,
);

function jsonBodies(
  world: RequestWorld,
  { operationId }: ApiOperation,
  schema: ApiSchema,
): fc.Arbitrary<GeneratedBody> {
  const made = valuesOf(schema, world.description);
  const valid = operationId === 'placeOrder' && world.books.length > 0 ? mostly(orders(world), made) : made;
  const type = mostly(fc.constant('application/json'), fc.constantFrom(...contentTypes), 12);
  const written = fc.tuple(mostly(valid, spoiled(valid), 1), type).map(([value, contentType]) => {
    const body = JSON.stringify(value) ?? '';
    const isRead = /^application\/json(; charset=utf-8)?$/.test(contentType) && body !== '';
    // As it was written: JSON has no negative zero.
    return { body, json: isRead ? JSON.parse(body) : undefined, contentType };
  });
  const raw = fc
    .tuple(fc.constantFrom(...hostileBodies), type)
    .map(([body, contentType]) => ({ body, json: undefined, contentType }));
  return mostly<GeneratedBody>(written, raw);
}

/** Orders of books that the store has, by the customers that it has. */
const orders = ({ books, customers }: RequestWorld): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...books),
      fc.option(fc.constantFrom(...customers.map(({ email }) => email)), { nil: undefined, freq: 1 }),
    )
    .map(([{ title, author, price }, email]) => ({
      title,
      author,
      price,
      email,
      time: new Date().toDateString(),
    }));

/** Replaces, removes, wraps or adds one member somewhere in a JSON value. */
const spoiled = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, fc.nat(), fc.constantFrom('replace', 'remove', 'wrap', 'add'), hostileValue)
    .map(([value, place, change, hostile]) => {
      const copy: unknown = structuredClone(value);
      const members = [...membersIn(copy)];
      const member = members[place % Math.max(1, members.length)];
      if (!member) return hostile;
      const { parent, name } = member;
      if (change === 'replace') parent[name] = hostile;
      else if (change === 'remove') delete parent[name];
      else if (change === 'wrap') parent[name] = [parent[name]];
      else parent[typeof hostile === 'string' && hostile !== '__proto__' ? hostile : 'extra'] = hostile;
      return copy;
    });

function* membersIn(value: unknown): Generator<{ parent: Record<string, unknown>; name: string }> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const parent = value as Record<string, unknown>;
  for (const name of Object.keys(parent)) {
    yield { parent, name };
    yield* membersIn(parent[name]);
  }
}

const boundary = 'generated';

function uploads({ image }: RequestWorld): fc.Arbitrary<GeneratedBody> {
  const part = (name: string, content: Uint8Array | string, filename?: string) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"`),
      Buffer.from(filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: image/png`),
      Buffer.from('\r\n\r\n'),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  const end = Buffer.from(`--${boundary}--\r\n`);
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom<Uint8Array | string>(
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'https://covers.example/a.jpg',
      'GIF89a',
      Buffer.from(image.subarray(0, image.length / 2)),
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    ),
  );
  const names = fc.constantFrom('image', 'key', '__proto__', '', 'image[]', 'a"b', 'toString');
  const filenames = fc.constantFrom(
    undefined,
    'a.png',
    '',
    '../a.png',
    'a\u0000.png',
    '\ud800',
    'a'.repeat(2_000),
    '"',
  );
  const parts = fc.array(fc.tuple(names, contents, filenames), { maxLength: 12 });
  const forms = fc.oneof(
    { weight: 1, arbitrary: fc.constant(Buffer.concat([part('image', image, 'cover.png'), end])) },
    { weight: 8, arbitrary: parts.map((made) => Buffer.concat([...made.map((one) => part(...one)), end])) },
    {
      weight: 2,
      arbitrary: parts.map((made) => Buffer.concat(made.map((one) => part(...one))).subarray(0, -3)),
    },
  );
  const types = mostly(
    fc.constant(`multipart/form-data; boundary=${boundary}`),
    fc.constantFrom(...contentTypes, `multipart/form-data; boundary=${'x'.repeat(500)}`),
  );
  return fc.tuple(forms, types).map(([body, contentType]) => ({ body, json: undefined, contentType }));
}

function headersOf(
  { customers, spareCookie, description }: RequestWorld,
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

/** @returns valid values of a schema, or nearly: the formats of the contract are met, but an image may not be stored. */
export function valuesOf(schema: ApiSchema, description: ApiDescription): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type, properties = {}, required = [], items } = schema;
  if ($ref !== undefined) {
    const shared = description.components.schemas[$ref.split('/').at(-1) ?? ''];
    if (!shared) throw new Error(`there is no ${$ref}`);
    return valuesOf(shared, description);
  }
  if (anyOf) return fc.oneof(...anyOf.map((one) => valuesOf(one, description)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === 'object') {
    const values = Object.entries(properties).map(
      ([name, one]) => [name, valuesOf(one, description)] as const,
    );
    return fc.record(Object.fromEntries(values), { requiredKeys: [...required] });
  }
  if (type === 'array')
    return fc.array(items ? valuesOf(items, description) : fc.jsonValue(), { maxLength: 3 });
  if (type === 'string') return textsOf(schema);
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2 ** 31 });
  if (type === 'number') return amounts;
  if (type === 'boolean') return fc.boolean();
  return type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
}

const amounts = fc.integer({ min: 0, max: maxCents }).map((cents) => cents / 100);

const bookImages = fc
  .tuple(
    fc.constantFrom(
      'https://covers.example/',
      'HTTPS://Covers.Example:8443/a/',
      ' https://covers.example/?q=',
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }).filter(isCleanText),
  )
  .map((parts) => parts.join(''));

function textsOf({ format, pattern, minLength = 0, maxLength = 40 }: ApiSchema): fc.Arbitrary<string> {
  if (format === 'amount-text') return amounts.map((amount) => amount.toFixed(2));
  if (format === 'book-image') return bookImages;
  if (pattern !== undefined && pattern !== '\\S') {
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length >= minLength);
  }
  const length = { minLength, maxLength: Math.min(maxLength, 40) };
  const isAccepted = (text: string) => isCleanText(text) && (minLength === 0 || /\S/.test(text));
  return fc
    .oneof(fc.string({ unit: 'grapheme', ...length }), fc.string({ unit: 'grapheme-ascii', ...length }))
    .filter(isAccepted);
}
