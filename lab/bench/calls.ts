/** The calls that are measured, each as a kind of request for the load. */

import { centsToAmount } from '../../contract/money.ts';
import { paths } from '../../contract/paths.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import type { CustomerSession, FilledDatabase } from './databases.ts';
import { lastWord, searches } from './invented-books.ts';

/** A GET; with a body a POST, unless `method` is another one. */
export type PlannedRequest = {
  path: string;
  method?: 'POST' | 'PATCH';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with a new Idempotency-Key each time. */
  body?: unknown;
};

/** A kind of request. */
export type PlannedKind = {
  /** How often it is sent, as a whole number relative to the other kinds. */
  weight: number;
  /** The requests, which are sent in turn. */
  requests: readonly PlannedRequest[];
  expectedStatus: number;
};

export const cookieOf = ({ sessionId }: CustomerSession) =>
  `${sessionCookieName({ isSecure: false })}=${sessionId}`;

export const kind = (requests: readonly PlannedRequest[], expectedStatus = 200): PlannedKind => ({
  weight: 1,
  requests,
  expectedStatus,
});

const searchFor = (query: Readonly<Record<string, string>>): PlannedRequest => ({
  path: `${paths.books}?${new URLSearchParams(query)}`,
});

/** The first page of the book list, as the home screen requests it. */
export const bookList = (): PlannedKind => kind([{ path: paths.books }]);

/** The fifty books after the fiftieth: every measured catalogue has them. */
export const nextPage = ({ newestBooks }: FilledDatabase): PlannedKind =>
  kind(newestBooks.slice(49, 50).map(({ id }) => searchFor({ limit: '50', cursor: id })));

/** Searches in turn: a common word, a rare one, two words, two letters, and words without a match. */
export const search = (): PlannedKind => kind(Object.values(searches).map((q) => searchFor({ q })));

/** The eight searches that take a store with a million books longest. */
export const worstSearches = (): PlannedKind =>
  kind([
    // These words are misspelt; the catalogue has many words similar to each.
    searchFor({ q: 'uncertian cartografer' }),
    searchFor({ q: 'bokbinding and beekeping' }),
    // These queries find nothing, although each part of three letters is common.
    searchFor({ q: 'winterland', sort: 'price' }),
    searchFor({ q: 'theriv', sort: 'title' }),
    searchFor({ q: 'and the her ing ter ard ver our win tor ers int sto', sort: 'price' }),
    // Half of the catalogue matches, or all matches are at the end of the order.
    searchFor({ q: 'the was', sort: 'title' }),
    searchFor({ q: `the ${lastWord}`, sort: 'price' }),
    searchFor({ q: 'の', sort: 'price' }),
  ]);

export const oneBook = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => ({ path: paths.book(id) })));

/** The response cache stores no response for a URL with a `?`. */
export const oneBookFromDatabase = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => ({ path: `${paths.book(id)}?` })));

export const ordersOf = (customers: readonly CustomerSession[]): PlannedKind =>
  kind(
    customers.map((customer) => ({
      path: paths.allOrder(customer.identity.email),
      headers: { cookie: cookieOf(customer) },
    })),
  );

/** Sessions of the buyers, used in turn. */
export const session = ({ buyers }: FilledDatabase): PlannedKind =>
  kind(buyers.map((buyer) => ({ path: paths.session, headers: { cookie: cookieOf(buyer) } })));

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
