/** What the measurements ask for: each call of the store, as a kind of request for the load. */

import { centsToAmount } from '../../contract/money.ts';
import { paths } from '../../contract/paths.ts';
import type { FilledDatabase, SignedIn } from './databases.ts';
import { searches } from './invented-books.ts';
import type { PlannedKind, PlannedRequest } from './load.ts';

const get = (path: string, by?: SignedIn): PlannedRequest => ({
  method: 'GET',
  path,
  headers: by ? { cookie: cookieOf(by) } : {},
});

const cookieOf = ({ sessionId }: SignedIn) => `colophon-session=${sessionId}`;

const kind = (requests: readonly PlannedRequest[]): PlannedKind => ({ weight: 1, requests });

/** The first page, as the home screen asks for it. */
export const firstPage = (): PlannedKind => kind([get(paths.books)]);

/** Fifty books after the fiftieth, which every catalogue that is measured has. */
export const nextPage = ({ newestBooks }: FilledDatabase): PlannedKind =>
  kind(newestBooks.slice(49, 50).map(({ id }) => get(`${paths.books}?limit=50&cursor=${id}`)));

/** One after the other: a common word, a rare one, two words, two letters, and what matches nothing. */
export const search = (): PlannedKind =>
  kind(Object.values(searches).map((query) => get(`${paths.books}?${new URLSearchParams({ q: query })}`)));

export const searchOf = (query: string): PlannedKind =>
  kind([get(`${paths.books}?${new URLSearchParams({ q: query })}`)]);

export const oneBook = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => get(paths.book(id))));

/** With a `?` the address is not one whose answer is kept. */
export const oneBookFromDatabase = ({ chosenBooks }: FilledDatabase): PlannedKind =>
  kind(chosenBooks.map(({ id }) => get(`${paths.book(id)}?`)));

export const ordersOfRegular = ({ regular }: FilledDatabase): PlannedKind =>
  kind([get(paths.allOrder(regular.identity.email), regular)]);

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
  );

/** Of a hundred requests five buy; the others look around. */
export const mixed = (database: FilledDatabase): PlannedKind[] => [
  { ...firstPage(), weight: 40 },
  { ...nextPage(database), weight: 15 },
  { ...search(), weight: 15 },
  { ...oneBook(database), weight: 25 },
  { ...order(database), weight: 5 },
];
