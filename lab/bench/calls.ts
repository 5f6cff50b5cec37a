/** The calls that are measured, each as a kind of request for the load. */

import { centsToAmount } from '../../contract/money.ts';
import { paths } from '../../contract/paths.ts';
import { writePlace } from '../../server/catalogue/best-matches.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import type { CustomerSession, FilledDatabase } from './databases.ts';
import type { HardSearch } from './hard-searches.ts';
import { searches } from './invented-books.ts';
import type { PlannedKind, PlannedRequest } from './load.ts';

const get = (path: string, headers: Readonly<Record<string, string>> = {}): PlannedRequest => ({
  method: 'GET',
  path,
  headers,
});

const cookieOf = ({ sessionId }: CustomerSession) => `${sessionCookieName({ isSecure: false })}=${sessionId}`;

const kind = (requests: readonly PlannedRequest[], expectedStatus = 200): PlannedKind => ({
  weight: 1,
  requests,
  expectedStatus,
});

/** One path, with the status that a limit sends for it. */
export const fixedResponse = (
  path: string,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
): PlannedKind => kind([get(path, headers)], status);

/** The first page of the book list, as the home screen requests it. */
export const bookList = (): PlannedKind => kind([get(paths.books)]);

/** Fifty books after the fiftieth: every measured catalogue has them. */
export const nextPage = ({ newestBooks }: FilledDatabase): PlannedKind =>
  kind(newestBooks.slice(49, 50).map(({ id }) => get(`${paths.books}?limit=50&cursor=${id}`)));

/** In turn: a common word, a rare one, two words, two letters, and words without a match. */
export const search = (): PlannedKind =>
  kind(Object.values(searches).map((query) => get(`${paths.books}?${new URLSearchParams({ q: query })}`)));

export const searchOf = (query: string): PlannedKind =>
  kind([get(`${paths.books}?${new URLSearchParams({ q: query })}`)]);

/** One of the {@link HardSearch}es. */
export const hardSearch = ({ q, sort, isDeep }: HardSearch, { deepBooks }: FilledDatabase): PlannedKind => {
  const cursor = sort === 'best' ? writePlace({ part: 'others', end: deepBooks.newest }) : deepBooks[sort];
  const query = { ...(q && { q }), sort, ...(isDeep && { cursor }) };
  return kind([get(`${paths.books}?${new URLSearchParams(query)}`)]);
};

export const oneBook = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => get(paths.book(id))));

/** The response cache stores no response for a URL with a `?`. */
export const oneBookFromDatabase = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => get(`${paths.book(id)}?`)));

export const ordersOfRegular = ({ regular }: FilledDatabase): PlannedKind =>
  kind([get(paths.allOrder(regular.identity.email), { cookie: cookieOf(regular) })]);

/**
 * The same requests with `If-None-Match`, so that each response is a 304.
 * @param etags by path, of the server that is measured.
 */
export const revalidation = ({ requests }: PlannedKind, etags: ReadonlyMap<string, string>): PlannedKind =>
  kind(
    requests.map(({ path }) => get(path, { 'if-none-match': etags.get(path) ?? '' })),
    304,
  );

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
        method: 'POST',
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
