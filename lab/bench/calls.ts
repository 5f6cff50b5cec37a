/** The calls that are measured, each as a kind of request for the load. */

import { centsToAmount } from '../../contract/money.ts';
import { paths } from '../../contract/paths.ts';
import { writePlace } from '../../server/search/best-matches.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import type { CustomerSession, FilledDatabase } from './databases.ts';
import type { HardSearch } from './hard-queries.ts';
import { searches } from './invented-books.ts';

/** A GET; with a body or a file a POST, unless `method` is another one. */
export type PlannedRequest = {
  path: string;
  method?: 'POST' | 'PATCH';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with a new Idempotency-Key each time. */
  body?: unknown;
  /** Sent as a CSV file. */
  csv?: string;
};

/** A kind of request. */
export type PlannedKind = {
  /** How often it is sent, relative to the other kinds: a whole number. */
  weight: number;
  /** The requests, which are sent in turn. */
  requests: readonly PlannedRequest[];
  expectedStatus: number;
};

/** @param key the Idempotency-Key of a request with a body. @returns the parts of the request, for `wrk` and for client.ts. */
export function asSent({ method = 'POST', headers, body, csv }: PlannedRequest, key: string) {
  if (csv !== undefined) {
    const length = String(Buffer.byteLength(csv));
    return {
      method,
      headers: { ...headers, 'content-type': 'text/csv', 'content-length': length },
      text: csv,
    };
  }
  if (body === undefined) return { method: 'GET', headers: { ...headers }, text: '' };
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': length,
      'idempotency-key': key,
    },
    text,
  };
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): PlannedRequest => ({
  path,
  headers,
});

export const cookieOf = ({ sessionId }: CustomerSession) =>
  `${sessionCookieName({ isSecure: false })}=${sessionId}`;

export const kind = (requests: readonly PlannedRequest[], expectedStatus = 200): PlannedKind => ({
  weight: 1,
  requests,
  expectedStatus,
});

/** The first page of the book list, as the home screen requests it. */
export const bookList = (): PlannedKind => kind([get(paths.books)]);

/** The fifty books after the fiftieth: every measured catalogue has them. */
export const nextPage = ({ newestBooks }: FilledDatabase): PlannedKind =>
  kind(newestBooks.slice(49, 50).map(({ id }) => get(`${paths.books}?limit=50&cursor=${id}`)));

/** Searches in turn: a common word, a rare one, two words, two letters, and words without a match. */
export const search = (): PlannedKind =>
  kind(Object.values(searches).map((query) => get(`${paths.books}?${new URLSearchParams({ q: query })}`)));

/** One of the {@link HardSearch}es. */
export function hardSearch({ q, sort, isDeep }: HardSearch, { deepBooks }: FilledDatabase): PlannedRequest {
  const cursor = sort === 'best' ? writePlace({ part: 'others', end: deepBooks.newest }) : deepBooks[sort];
  const query = { ...(q && { q }), sort, ...(isDeep && { cursor }) };
  return get(`${paths.books}?${new URLSearchParams(query)}`);
}

export const oneBook = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => get(paths.book(id))));

/** The response cache stores no response for a URL with a `?`. */
export const oneBookFromDatabase = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => get(`${paths.book(id)}?`)));

export const ordersOfRegular = ({ regular }: FilledDatabase): PlannedKind =>
  kind([get(paths.allOrder(regular.identity.email), { cookie: cookieOf(regular) })]);

/** The session of each buyer in turn. */
export const session = ({ buyers }: FilledDatabase): PlannedKind =>
  kind(buyers.map((buyer) => get(paths.session, { cookie: cookieOf(buyer) })));

/** Searches for two common words, in the order of titles. */
export const searchesForTwoWords = (): PlannedKind =>
  kind(
    ['the riv', 'of the', 'the was', 'the and'].map((q) =>
      get(`${paths.books}?${new URLSearchParams({ q, sort: 'title' })}`),
    ),
  );

/** Each buyer in turn buys the next of the chosen books. */
export const order = ({ chosenBooks, buyers }: FilledDatabase): PlannedKind =>
  kind(
    chosenBooks.flatMap(({ title, author, priceCents }, index) => {
      const buyer = buyers[index % buyers.length];
      if (!buyer) return [];
      const { name, email, photo } = buyer.identity;
      const time = new Date().toDateString();
      return {
        path: paths.addOrder,
        headers: { cookie: cookieOf(buyer) },
        body: { userName: name, email, photo, title, author, price: centsToAmount(priceCents), time },
      };
    }),
    201,
  );

/** Five of a hundred requests are orders, the others reads. */
export const mixed = (database: FilledDatabase): PlannedKind[] => [
  { ...bookList(), weight: 40 },
  { ...nextPage(database), weight: 15 },
  { ...search(), weight: 15 },
  { ...oneBook(database), weight: 25 },
  { ...order(database), weight: 5 },
];
