/** The faults that no response of the store may have, whatever the request. */

import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Book, NewBook } from '../../contract/book.ts';
import { byField, shownFields, textOfSent } from '../../contract/book-fields.ts';
import { tidyAddress } from '../../contract/delivery-address.ts';
import type { NewOrder, Order } from '../../contract/order.ts';
import { hyphenateIsbn } from '../catalogue/hyphenate-isbn.ts';
import { problemCodes } from '../http/problems.ts';
import type { ApiDescription } from './schema-values.ts';

export type SentRequest = {
  /** Method and pattern, such as `POST /addBook`; `other` for an address that the description lacks. */
  operation: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  /** The JSON value of the body, where it has one. */
  json: unknown;
};

/** `body`: decompressed. */
export type ReceivedResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Names that only the inside of the store has. */
const internals = /node_modules|\.ts:\d|at \w+ \(|SQLITE|sqlite3?_|violates|relation "|Kysely|pg_/;

/** @returns what is wrong with a response, a sentence each; empty for a good one. */
export type FindFaults = (request: SentRequest, response: ReceivedResponse) => string[];

/**
 * @param description of the API, which responses are held to.
 * @param storeOrigin as in `PUBLIC_URL`.
 */
export function responseFaults(description: ApiDescription, storeOrigin: string): FindFaults {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(description, 'api');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    validators.set(pointer, validate);
    return validate;
  };

  /** The rules of a success: its status is declared, and its body is as declared. */
  function* successFaults(request: SentRequest, { status, headers, body }: ReceivedResponse) {
    const [method = '', pattern = ''] = request.operation.split(' ');
    if (request.operation === 'other' || request.method !== method || status === 304) return;
    const declared = description.paths[pattern]?.[method.toLowerCase()]?.responses[status];
    // The pages of a sign-in are not part of the API.
    if (headers['content-type']?.startsWith('text/html')) return;
    if (!declared) yield `the status ${status} is not declared`;
    if (!declared?.content?.['application/json'] || status === 204 || status >= 300) return;
    const escaped = pattern.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const pointer = `/paths/${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
    const validate = validatorOf(pointer);
    if (!validate(JSON.parse(String(body))))
      yield `the body is not as declared: ${ajv.errorsText(validate.errors)}`;
  }

  return (request, response) => {
    const { status, headers, body } = response;
    const faults: string[] = [];
    const isBusy = status === 503 && headers['retry-after'] !== undefined;
    if (status >= 500 && !isBusy) faults.push(`the status is ${status}`);
    if (status >= 400 && request.method !== 'HEAD')
      faults.push(...problemFaults(request, response, description));
    if (status < 400 && request.method !== 'HEAD') faults.push(...successFaults(request, response));
    if (status === 201) faults.push(...changedTexts(request, response, storeOrigin));
    if (headers['x-content-type-options'] !== 'nosniff')
      faults.push('the header x-content-type-options is missing');
    const isText = !headers['content-type']?.startsWith('image/');
    const internal = isText && status >= 400 ? internals.exec(String(body))?.[0] : undefined;
    if (internal !== undefined) faults.push(`the body reveals "${internal}"`);
    return faults;
  };
}

/** An error is a problem document with a known code, an error of imgbb's API, or the page for a browser. */
function* problemFaults(
  { operation, method, headers: sent }: SentRequest,
  response: ReceivedResponse,
  description: ApiDescription,
) {
  const { status, headers } = response;
  const type = headers['content-type'] ?? '';
  const isPage = type.startsWith('text/html') && String(sent['accept']).includes('text/html');
  if (isPage && [404, 405, 421].includes(status)) return;
  if (!/^application\/(problem\+)?json/.test(type)) {
    yield `the content type of an error is "${type}"`;
    return;
  }
  const body = JSON.parse(String(response.body));
  const isImgbb = operation === 'POST /1/upload' && type.startsWith('application/json');
  const code = isImgbb ? body.status_txt : body.code;
  if (!problemCodes.has(code)) yield `the code is ${JSON.stringify(code)}`;
  // A hostile parameter may make another address of it.
  const isOfRoute = operation.startsWith(`${method} `) && code !== 'NOT_FOUND';
  if (isOfRoute && !isDeclaredCode(description, operation, { status, code })) {
    yield `the code ${code} is not declared for ${status}`;
  }
  if ((isImgbb ? body.status_code : body.status) !== status) yield 'the body has another status';
  if (headers['cache-control'] !== 'no-store')
    yield `cache-control of an error is "${headers['cache-control']}"`;
}

/** @returns true if the description names the code for this status of the operation, or for all others. */
function isDeclaredCode(
  description: ApiDescription,
  operation: string,
  { status, code }: { status: number; code: string },
): boolean {
  const [method = '', pattern = ''] = operation.split(' ');
  const responses = description.paths[pattern]?.[method.toLowerCase()]?.responses ?? {};
  return (responses[status] ?? responses['default'])?.description.includes(`\`${code}\``) === true;
}

/** An accepted text is the one that was sent, apart from white space around it and the form of an address. */
function* changedTexts({ operation, json }: SentRequest, { body }: ReceivedResponse, storeOrigin: string) {
  if (json === undefined) return;
  const sent =
    operation === 'POST /addBook'
      ? acceptedBook(json as NewBook, storeOrigin)
      : acceptedOrder(json as NewOrder);
  const { _id, bookId, state, placedAt, withdrawUntil, ...stored } = JSON.parse(String(body));
  if (!isDeepStrictEqual(stored, sent)) {
    yield `${JSON.stringify(sent)} became ${JSON.stringify(stored)}`;
  }
}

/** @returns a book that the store accepted as the catalogue shows it, without its id. */
export const acceptedBook = (sent: NewBook, storeOrigin: string): Omit<Book, '_id'> => {
  const book = byField<Omit<Book, '_id'>>(shownFields, ({ name, kind, read }) => {
    const text = textOfSent(sent[name]).trim();
    if (kind === 'price') return { value: Number(text) };
    // A field that is empty is left out.
    return (kind === 'line' ? text : read(text, storeOrigin)) || undefined;
  });
  return { ...book, ...(book.isbn && { isbnText: hyphenateIsbn(book.isbn) }) };
};

/** @returns an order that the store accepted as it lists it, without what the store adds. */
const acceptedOrder = ({
  title,
  author,
  price,
  time,
  deliveryAddress: sent = '',
}: NewOrder): Partial<Order> => {
  const deliveryAddress = tidyAddress(sent);
  return { title, author, price, time, ...(deliveryAddress === null ? {} : { deliveryAddress }) };
};
