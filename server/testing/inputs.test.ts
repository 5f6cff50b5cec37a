/** Properties of every route, for whatever a client may send. `npm run fuzz` sends many more of the same requests. */

import type { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Book, NewBook } from '../../contract/book.ts';
import { nextPagePath } from '../../contract/next-page.ts';
import type { NewOrder, Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { generatedRequests } from './generated/requests.ts';
import { acceptedBook, acceptedOrder, type FindFaults, responseFaults } from './generated/response-faults.ts';
import { type ApiDescription, valuesOf } from './generated/schema-values.ts';
import { keepConnections, sendRequest } from './generated/send-request.ts';
import { adminEmail, fillStore, type StoreContents } from './generated/store-contents.ts';
import { openTestStore, reader, readJson, type TestStore } from './test-store.ts';

const publicUrl = new URL('http://localhost:3000');
let store: TestStore;
let contents: StoreContents;
let findFaults: FindFaults;
let agent: Agent;
beforeAll(async () => {
  store = await openTestStore({ settings: { publicUrl, adminEmails: [adminEmail], hasRateLimits: false } });
  const description = await readJson<ApiDescription>(await store.call(paths.openApi));
  contents = {
    description,
    ...(await fillStore(store.database.db, { books: 20, customers: 3 }, store.signIn)),
  };
  findFaults = responseFaults(description, publicUrl.origin);
  agent = keepConnections(1);
});
afterAll(async () => {
  agent.destroy();
  await store.close();
});

test('every request gets a declared response or a problem with a known code', {
  timeout: 60_000,
}, async () => {
  const isAllowed = fc.asyncProperty(generatedRequests(contents), async (request) => {
    expect(findFaults(request, await sendRequest(store.origin, request, agent))).toEqual([]);
  });

  await fc.assert(isAllowed, { numRuns: 1_500 });
});

/** Books that meet the contract. */
const newBooks = () =>
  valuesOf({ $ref: '#/components/schemas/NewBook' }, contents.description) as fc.Arbitrary<NewBook>;

test('a book that was accepted is found as it was sent', async () => {
  const cookie = await store.signIn({ sub: 'admin', email: adminEmail });
  const isFound = fc.asyncProperty(newBooks(), async (json) => {
    const { _id } = await readJson<Book>(await store.call(paths.addBook, { json, cookie }), 201);

    const found = await readJson<Book>(await store.call(paths.book(_id)));
    expect(found).toEqual({ _id, ...acceptedBook(json, publicUrl.origin) });
  });

  await fc.assert(isFound, { numRuns: 100 });
});

test('an order that was accepted is listed as it was sent', async () => {
  const admin = await store.signIn({ sub: 'admin', email: adminEmail });
  const cookie = await store.signIn();
  const placed: Order[] = [];
  const isPlaced = fc.asyncProperty(newBooks(), async (book) => {
    const { title, author, price } = await readJson<Book>(
      await store.call(paths.addBook, { json: book, cookie: admin }),
      201,
    );
    const json: NewOrder = { title, author, price: price.value, time: new Date().toDateString() };
    const { _id } = await readJson<Order>(await store.call(paths.addOrder, { json, cookie }), 201);
    placed.push({ _id, ...acceptedOrder(json) });
  });
  await fc.assert(isPlaced, { numRuns: 100 });

  const listed: Order[] = [];
  let path: string | undefined = paths.allOrder(reader.email);
  while (path !== undefined) {
    const response: Response = await store.call(path, { cookie });
    path = nextPagePath(response.headers.get('link'), store.origin);
    listed.push(...(await readJson<Order[]>(response)));
  }

  expect(listed).toEqual(placed.reverse());
});
