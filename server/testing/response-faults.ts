/** The faults that no response of the store may have, whatever the request. */

import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import type { Book, NewBook } from '../../contract/book.ts';
import { byField, shownFields, textOfSent } from '../../contract/book-fields.ts';
import { tidyAddress } from '../../contract/delivery-address.ts';
import type { NewOrder, Order } from '../../contract/order.ts';
import { hyphenateIsbn } from '../catalogue/hyphenate-isbn.ts';
import { problemCodes } from '../http/problems.ts';
import type { ApiDescription } from './schema-values.ts';

type SentRequest = {
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

/**
 * @param description of the API, which responses are held to.
 * @param storeOrigin as in `PUBLIC_URL`.
 * @returns a function that finds what is wrong with a response, a sentence each.
 */
export function responseFaults(description: ApiDescription, storeOrigin: string) {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(description, 'api');

  function* faultsOf(request: SentRequest, { status, headers, body }: ReceivedResponse) {
    const [method = '', pattern = ''] = request.operation.split(' ');
    const { responses = {} } = description.paths[pattern]?.[method.toLowerCase()] ?? {};
    const type = headers['content-type'] ?? '';

    /** An error is a problem document with a known code, an error of imgbb's API, or the page for a browser. */
    function* problemFaults() {
      const isPage = type.startsWith('text/html') && String(request.headers['accept']).includes('text/html');
      if (isPage && [404, 405, 421].includes(status)) return;
      if (!/^application\/(problem\+)?json/.test(type)) {
        yield `the content type of an error is "${type}"`;
        return;
      }
      const problem = JSON.parse(String(body));
      const isImgbb = request.operation === 'POST /1/upload' && type.startsWith('application/json');
      const code = isImgbb ? problem.status_txt : problem.code;
      if (!problemCodes.has(code)) yield `the code is ${JSON.stringify(code)}`;
      // A hostile parameter may make another address of it.
      const isOfRoute = method === request.method && code !== 'NOT_FOUND';
      const declared = (responses[status] ?? responses['default'])?.description;
      if (isOfRoute && !declared?.includes(`\`${code}\``))
        yield `the code ${code} is not declared for ${status}`;
      if ((isImgbb ? problem.status_code : problem.status) !== status) yield 'the body has another status';
      const cached = headers['cache-control'];
      if (cached !== 'no-store') yield `cache-control of an error is "${cached}"`;
    }

    /** The status of a success is declared, and its body is as declared. */
    function* successFaults() {
      // The pages of a sign-in are not part of the API.
      if (method !== request.method || status === 304 || type.startsWith('text/html')) return;
      if (!responses[status]) yield `the status ${status} is not declared`;
      if (!responses[status]?.content?.['application/json'] || status === 204 || status >= 300) return;
      const escaped = pattern.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
      const pointer = `${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
      // Ajv compiles it once.
      const validate = ajv.getSchema(`api#/paths/${pointer}`);
      if (!validate?.(JSON.parse(String(body))))
        yield `the body is not as declared: ${ajv.errorsText(validate?.errors)}`;
    }

    const isBusy = status === 503 && headers['retry-after'] !== undefined;
    if (status >= 500 && !isBusy) yield `the status is ${status}`;
    if (request.method !== 'HEAD') yield* status >= 400 ? problemFaults() : successFaults();
    if (status === 201 && request.json !== undefined) yield* changedTexts(request, String(body), storeOrigin);
    if (headers['x-content-type-options'] !== 'nosniff') yield 'the header x-content-type-options is missing';
    const text = type.startsWith('image/') || status < 400 ? '' : String(body);
    const internal = internals.exec(text)?.[0];
    if (internal !== undefined) yield `the body reveals "${internal}"`;
  }
  return (request: SentRequest, response: ReceivedResponse) => [...faultsOf(request, response)];
}

/** An accepted text is the one that was sent, apart from white space around it and the form of an address. */
function* changedTexts({ operation, json }: SentRequest, body: string, storeOrigin: string) {
  const isBook = operation === 'POST /addBook';
  const sent = isBook ? acceptedBook(json as NewBook, storeOrigin) : acceptedOrder(json as NewOrder);
  const { _id, bookId, state, placedAt, withdrawUntil, ...stored } = JSON.parse(body);
  if (!isDeepStrictEqual(stored, sent)) yield `${JSON.stringify(sent)} became ${JSON.stringify(stored)}`;
}

/** @returns a book that the store accepted as the catalogue shows it, without its id. */
const acceptedBook = (sent: NewBook, storeOrigin: string): Omit<Book, '_id'> => {
  const book = byField<Omit<Book, '_id'>>(shownFields, ({ name, kind, read }) => {
    const text = textOfSent(sent[name]).trim();
    if (kind === 'price') return { value: Number(text) };
    // A field that is empty is left out.
    return (kind === 'line' ? text : read(text, storeOrigin)) || undefined;
  });
  return { ...book, ...(book.isbn && { isbnText: hyphenateIsbn(book.isbn) }) };
};

/** @returns an order that the store accepted as it lists it, without what the store adds. */
const acceptedOrder = ({ title, author, price, time, deliveryAddress = '' }: NewOrder): Partial<Order> => {
  const address = tidyAddress(deliveryAddress);
  return { title, author, price, time, ...(address !== null && { deliveryAddress: address }) };
};
