/** Makes values from the schemas in the API's description (`/openapi.json`), for requests. */

import fc from 'fast-check';
import { isCleanText } from '../../contract/field-formats.ts';
import { maxCents } from '../../contract/money.ts';
import { seenPattern } from '../../contract/pasted-text.ts';

/** The part of an OpenAPI schema that values are made from. */
type ApiSchema = {
  $ref?: string;
  anyOf?: readonly ApiSchema[];
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, ApiSchema>>;
  required?: readonly string[];
  items?: ApiSchema;
} & Partial<Record<'type' | 'format' | 'pattern', string>> &
  Partial<Record<'minLength' | 'maxLength' | 'minimum' | 'maximum', number>>;

type Content<Body> = Readonly<Record<string, Body>>;
export type ApiOperation = {
  operationId: string;
  parameters?: readonly { name: string; in: string; schema: ApiSchema; required?: boolean }[];
  requestBody?: { content: Content<{ schema: ApiSchema }> };
  responses: Readonly<Record<string, { description: string; content?: Content<{ schema?: ApiSchema }> }>>;
};

/** The document at `/openapi.json`. */
export type ApiDescription = {
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: { schemas: Readonly<Record<string, ApiSchema>> };
};

/** @returns values that are valid or nearly valid: they meet the formats of the contract, but an image may not be stored. */
export function valuesOf(schema: ApiSchema, description: ApiDescription): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type, properties = {}, required = [], items } = schema;
  const of = (one: ApiSchema) => valuesOf(one, description);
  if ($ref !== undefined) {
    const shared = description.components.schemas[$ref.split('/').at(-1) ?? ''];
    if (!shared) throw new Error(`there is no ${$ref}`);
    return of(shared);
  }
  if (anyOf) return fc.oneof(...anyOf.map(of));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === 'object') {
    const values = Object.entries(properties).map(([name, one]) => [name, of(one)] as const);
    return fc.record(Object.fromEntries(values), { requiredKeys: [...required] });
  }
  if (type === 'array') return fc.array(items ? of(items) : fc.jsonValue(), { maxLength: 3 });
  if (type === 'string') return textsOf(schema);
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2 ** 31 });
  if (type === 'number') return amounts;
  if (type === 'boolean') return fc.boolean();
  return type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
}

const amounts = fc.integer({ min: 0, max: maxCents }).map((cents) => cents / 100);
const origins = fc.constantFrom(
  'https://covers.example/',
  'HTTPS://Covers.Example:8443/a/',
  ' https://a.example/?q=',
);
const imagePaths = fc.string({ unit: 'grapheme', maxLength: 20 }).filter(isCleanText);
const bookImages = fc.tuple(origins, imagePaths).map((parts) => parts.join(''));
const isbns = fc.constantFrom('0-14-143958-0', '978 0141439587', ' 080442957x ', '');

function textsOf({ format, pattern, minLength = 0, maxLength = 40 }: ApiSchema): fc.Arbitrary<string> {
  if (format === 'amount-text') return amounts.map((amount) => amount.toFixed(2));
  if (format === 'book-image') return bookImages;
  if (format === 'isbn') return isbns;
  if (pattern !== undefined && pattern !== seenPattern) {
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length >= minLength);
  }
  const length = { minLength, maxLength: Math.min(maxLength, 40) };
  const isAccepted = (text: string) =>
    isCleanText(text) && (minLength === 0 || new RegExp(seenPattern).test(text));
  return fc
    .oneof(fc.string({ unit: 'grapheme', ...length }), fc.string({ unit: 'grapheme-ascii', ...length }))
    .filter(isAccepted);
}
