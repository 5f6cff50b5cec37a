import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import { Order } from '../../contract/order.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { placeOrder } from './place-order.ts';

const today = new Date().toDateString();

const store = setUpTestStore();
let cookie: string;
let emma: BookForSale;
beforeEach(async () => {
  cookie = await store.signIn();
  emma = await addBook(
    store.database.db,
    { title: 'Emma', author: 'Jane Austen', image: 'https://covers.example/emma.jpg', priceCents: 1299 },
    null,
  );
});

/** The body that the browser of the spec posts: its whole shared state. */
const order = (over: Record<string, unknown> = {}) => ({
  userName: reader.name,
  email: reader.email,
  photo: '',
  title: emma.title,
  author: emma.author,
  price: 12.99,
  time: today,
  ...over,
});

const post = (json: unknown, key?: string) =>
  store.call('/addOrder', { json, cookie, headers: key === undefined ? {} : { 'idempotency-key': key } });

const listOrders = async (): Promise<Order[]> =>
  await readJson(await store.call(`/allOrder/${encodeURIComponent(reader.email)}`, { cookie }));

const problem = async (response: Response) => {
  const { code } = await readJson<ProblemBody>(response, response.status);
  return { status: response.status, code };
};

describe('POST /addOrder', () => {
  test('stores a snapshot and returns it, and ignores the other fields of the shared state', async () => {
    const response = await post(order({ _id: 'x', success: true, price2: null, image: ['?'], photo: null }));

    expect(response.status).toBe(201);
    const placed = (await response.json()) as Order;
    expect(placed).toEqual({
      _id: expect.any(String),
      title: 'Emma',
      author: 'Jane Austen',
      price: 12.99,
      time: today,
      bookId: emma.id,
      state: 'new',
      withdrawUntil: expect.stringMatching(/T23:59:59\.999Z$/),
    });
    expect(await listOrders()).toEqual([{ ...placed, image: emma.image }]);
  });

  test('takes the buyer from the session and rejects another e-mail', async () => {
    expect(await problem(await post(order({ email: 'else@example.com' })))).toEqual({
      status: 403,
      code: 'NOT_ALLOWED',
    });
    await post(order({ userName: 'Another Name', email: 'READER@example.com' }));
    await post({ title: emma.title, author: emma.author, price: 12.99, time: today });

    const rows = await store.database.db.selectFrom('orders').select(['buyer_name', 'buyer_email']).execute();
    expect(rows).toEqual([
      { buyer_name: reader.name, buyer_email: reader.email },
      { buyer_name: reader.name, buyer_email: reader.email },
    ]);
  });

  test('responds BOOK_GONE for a book that never existed or was removed', async () => {
    expect(await problem(await post(order({ title: 'Emmas' })))).toEqual({ status: 404, code: 'BOOK_GONE' });
    expect(await problem(await post(order({ author: 'Anon' })))).toEqual({ status: 404, code: 'BOOK_GONE' });
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });
    expect(await problem(await post(order()))).toEqual({ status: 404, code: 'BOOK_GONE' });
    expect(await listOrders()).toEqual([]);
  });

  test('responds PRICE_CHANGED when the posted price is not the current one', async () => {
    await store.database.db.updateTable('books').set({ price_cents: 1250 }).execute();

    expect(await readJson(await post(order()), 409)).toMatchObject({
      code: 'PRICE_CHANGED',
      detail: 'It is $12.50 now.',
    });
    expect(await listOrders()).toEqual([]);
  });

  test('sells the edition at the posted price when two editions share title and author', async () => {
    const paperback = await addBook(store.database.db, { ...emma, priceCents: 500 }, null);

    await post(order({ price: 12.99 }));
    await post(order({ price: 5 }));

    const rows = await store.database.db.selectFrom('orders').select('book_id').orderBy('id').execute();
    expect(rows.map(({ book_id }) => book_id)).toEqual([emma.id, paperback.id]);
  });

  test.each([
    ['time', 'Sat Nov 21 1998'],
    ['time', new Date(Date.now() + 3 * 86_400_000).toDateString()],
    ['time', new Date().toISOString()],
    ['time', 'Mon Feb 30 2026'],
    ['price', '12.99'],
    ['price', 12.999],
    ['price', -1],
    ['price', null],
    ['title', ''],
    ['author', 7],
    ['title', 'Emma\u0000'],
    ['title', '\ud800'],
    ['email', 'reader@example.com\u0000'],
    ['time', '\ud800'],
  ])('rejects %s %j and names the field', async (field, value) => {
    const response = await post(order({ [field]: value }));

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
  });

  test('sells a book whose title an older version accepted, though it sets the writing direction', async () => {
    const details = { title: '\u2067Emma\u2069', author: 'A', image: emma.image, priceCents: 500 };
    await addBook(store.database.db, details, null);

    const response = await post(order({ title: details.title, author: 'A', price: 5 }));

    expect(await readJson(response, 201)).toMatchObject({ title: details.title });
  });

  test.each([-1, 1])('accepts a day that is %d day from today', async (days) => {
    const time = new Date(Date.now() + days * 86_400_000).toUTCString();
    const [, day, month, year] = time.replace(',', '').split(' ');
    const weekday = time.slice(0, 3);

    expect((await post(order({ time: `${weekday} ${month} ${day} ${year}` }))).status).toBe(201);
  });

  test.each(['', 'a b', 'é', 'k'.repeat(256)])('rejects the Idempotency-Key %j', async (key) => {
    const response = await store.app.inject({
      method: 'POST',
      url: '/addOrder',
      headers: { cookie, 'idempotency-key': key },
      payload: order(),
    });

    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ errors: [{ field: 'idempotency-key' }] });
  });
});

describe('one Idempotency-Key', () => {
  test('makes one order of 50 parallel requests, and 50 equal responses', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => post(order(), 'one-key')));

    const bodies = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(bodies).size).toBe(1);
    expect(await listOrders()).toHaveLength(1);
  });

  test('returns the order again after the book was removed', async () => {
    const first = await (await post(order(), 'one-key')).json();
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });

    const again = await post(order(), 'one-key');

    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(first);
  });

  test('with another body is rejected with 422', async () => {
    await post(order(), 'one-key');
    await addBook(store.database.db, { ...emma, title: 'Persuasion' }, null);

    expect(await problem(await post(order({ title: 'Persuasion' }), 'one-key'))).toEqual({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await listOrders()).toHaveLength(1);
  });

  test('belongs to one customer: another one places another order with it, and never gets that of the first', async () => {
    const first = await readJson<Order>(await post(order(), 'one-key'), 201);
    const other = await store.signIn({ sub: 'other', email: 'other@example.com', name: 'Other' });
    const postAsOther = () =>
      store.call('/addOrder', {
        json: order({ email: 'other@example.com' }),
        cookie: other,
        headers: { 'idempotency-key': 'one-key' },
      });
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });
    expect(await problem(await postAsOther())).toEqual({ status: 404, code: 'BOOK_GONE' });
    await store.call(`/restoreBook/${emma.id}`, { method: 'POST', cookie });

    expect((await readJson<Order>(await postAsOther(), 201))._id).not.toBe(first._id);
  });

  test('of a rejected order can be used again', async () => {
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });
    expect((await post(order(), 'one-key')).status).toBe(404);
    await store.call(`/restoreBook/${emma.id}`, { method: 'POST', cookie });

    expect((await post(order(), 'one-key')).status).toBe(201);
  });
});

describe('GET /allOrder/{email}', () => {
  test('lists the customer’s own orders only, newest first, with the fields of the contract', async () => {
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
    await store.call('/addOrder', { json: order({ email: 'other@example.com' }), cookie: other });
    await addBook(store.database.db, { ...emma, title: 'Persuasion', priceCents: 700 }, null);
    await post(order());
    await post(order({ title: 'Persuasion', price: 7 }));

    const orders = await listOrders();

    expect(orders.map(({ title }) => title)).toEqual(['Persuasion', 'Emma']);
    const contract = Type.Array(Order);
    expect(Value.Errors(contract, orders)).toEqual([]);
    expect(orders).toEqual(Value.Clean(contract, structuredClone(orders)));
  });

  test('rejects an e-mail that is not clean text', async () => {
    const response = await store.call(`/allOrder/${encodeURIComponent(`${reader.email}\n`)}`, { cookie });

    expect(await readJson(response, 400)).toMatchObject({ errors: [{ field: 'email' }] });
  });

  test('is not cacheable', async () => {
    const { headers } = await store.call(`/allOrder/${reader.email}`, { cookie });

    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('shows orders as they were placed after the book was repriced and deleted', async () => {
    await post(order());
    await store.database.db.updateTable('books').set({ price_cents: 1, title: 'Emma II' }).execute();
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });

    expect(await listOrders()).toMatchObject([{ title: 'Emma', price: 12.99 }]);
  });

  test('lists the orders under the new e-mail when it changes at the provider', async () => {
    await post(order());
    cookie = await store.signIn({ email: 'new@example.com' });

    expect((await store.call('/allOrder/reader@example.com', { cookie })).status).toBe(403);
    expect(await (await store.call('/allOrder/new@example.com', { cookie })).json()).toHaveLength(1);
  });

  test('lists at most 200, and links to the rest', async () => {
    const { customer_id: id } = await store.database.db
      .selectFrom('sessions')
      .select('customer_id')
      .executeTakeFirstOrThrow();
    const request = { title: emma.title, author: emma.author, priceCents: 1299, time: today };
    for (let index = 0; index < 205; index += 1) {
      await placeOrder(store.database.db, { ...reader, id }, request);
    }

    const first = await store.call(`/allOrder/${reader.email}`, { cookie });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await store.call(next, { cookie });

    expect(await first.json()).toHaveLength(200);
    expect(await second.json()).toHaveLength(5);
    expect(second.headers.get('link')).toBeNull();
  });
});
