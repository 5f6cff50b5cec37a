/** Bodies of generated requests: JSON, uploads, and bytes that are neither. */

import fc from 'fast-check';
import { type ApiOperation, type ApiSchema, valuesOf } from '../../server/testing/schema-values.ts';
import { contentTypes, hostileBodies, hostileValue, mostly } from './hostile-values.ts';
import type { StoreContents } from './store-contents.ts';

/** `json`: the JSON value of the body, where it has one. */
export type GeneratedBody = {
  body: string | Uint8Array | undefined;
  json: unknown;
  contentType: string | undefined;
};

/** No body, and sometimes a hostile one all the same. */
export const noBody: fc.Arbitrary<GeneratedBody> = mostly(
  fc.constant<GeneratedBody>({ body: undefined, json: undefined, contentType: undefined }),
  fc
    .constantFrom(...hostileBodies)
    .map((body) => ({ body, json: undefined, contentType: 'application/json' })),
  12,
);

/** Values of the schema, changed ones, and bytes that are not the JSON of one. */
export function jsonBodies(
  contents: StoreContents,
  { operationId }: ApiOperation,
  schema: ApiSchema,
): fc.Arbitrary<GeneratedBody> {
  const made = valuesOf(schema, contents.description);
  const valid =
    operationId === 'placeOrder' && contents.books.length > 0 ? mostly(orders(contents), made) : made;
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
const orders = ({ books, customers }: StoreContents): fc.Arbitrary<unknown> =>
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

/** Multipart bodies with the image of the contents, with other parts, and cut off. */
export function uploads({ image }: StoreContents): fc.Arbitrary<GeneratedBody> {
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
