import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '../../contract/order.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { openTestStore, reader, readJson, type TestStore } from '../testing/test-store.ts';
import { placeOrder } from './orders.ts';

const today = new Date().toDateString();

let store: TestStore;
let cookie: string;
let emma: BookForSale;
beforeEach(async () => {
  store = await openTestStore();
  cookie = await store.signIn();
  emma = await addBook(
    store.database.db,
    { title: 'Emma', author: 'Jane Austen', image: 'https://covers.example/emma.jpg', priceCents: 1299 },
    null,
  );
});
afterEach(() => store.close());

/** What the spec's browser posts: its whole shared state. */
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

const code = async (answer: Response) => {
  const { code } = await readJson<ProblemBody>(answer, answer.status);
  return { status: answer.status, code };
};

describe('POST /addOrder', () => {
  test('stores a snapshot and answers it, whatever else the shared state carries', async () => {
    const answer = await post(order({ _id: 'x', success: true, price2: null, image: ['?'], photo: null }));

    expect(answer.status).toBe(201);
    const placed = await answer.json();
    expect(placed).toEqual({
      _id: expect.any(String),
      title: 'Emma',
      author: 'Jane Austen',
      price: 12.99,
      time: today,
    });
    expect(await listOrders()).toEqual([placed]);
  });

  test('takes the buyer from the session and refuses another’s e-mail', async () => {
    expect(await code(await post(order({ email: 'else@example.com' })))).toEqual({
      status: 403,
      code: 'NOT_ALLOWED',
    });
    await post(order({ userName: 'Somebody Else', email: 'READER@example.com' }));
    await post({ title: emma.title, author: emma.author, price: 12.99, time: today });

    const rows = await store.database.db.selectFrom('orders').select(['buyer_name', 'buyer_email']).execute();
    expect(rows).toEqual([
      { buyer_name: reader.name, buyer_email: reader.email },
      { buyer_name: reader.name, buyer_email: reader.email },
    ]);
  });

  test('answers BOOK_GONE for a book that was never there or is off the shelf', async () => {
    expect(await code(await post(order({ title: 'Emmas' })))).toEqual({ status: 404, code: 'BOOK_GONE' });
    expect(await code(await post(order({ author: 'Anon' })))).toEqual({ status: 404, code: 'BOOK_GONE' });
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });
    expect(await code(await post(order()))).toEqual({ status: 404, code: 'BOOK_GONE' });
    expect(await listOrders()).toEqual([]);
  });

  test('answers PRICE_CHANGED when the price is not the one that was shown', async () => {
    expect(await code(await post(order({ price: 12.98 })))).toEqual({ status: 409, code: 'PRICE_CHANGED' });
    expect(await listOrders()).toEqual([]);
  });

  test('sells the edition whose price was shown when two share title and author', async () => {
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
  ])('refuses %s %j by the field’s name', async (field, value) => {
    const answer = await post(order({ [field]: value }));

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
  });

  test.each([-1, 1])('takes the day that it is %d day from here', async (days) => {
    const time = new Date(Date.now() + days * 86_400_000).toUTCString();
    const [, day, month, year] = time.replace(',', '').split(' ');
    const weekday = time.slice(0, 3);

    expect((await post(order({ time: `${weekday} ${month} ${day} ${year}` }))).status).toBe(201);
  });

  test.each(['', 'a b', 'é', 'k'.repeat(256)])('refuses the Idempotency-Key %j', async (key) => {
    const answer = await store.app.inject({
      method: 'POST',
      url: '/addOrder',
      headers: { cookie, 'idempotency-key': key },
      payload: order(),
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ field: 'idempotency-key' }] });
  });
});

describe('one Idempotency-Key', () => {
  test('makes one order of 50 parallel posts, and 50 equal answers', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(order(), 'one-key')));

    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(bodies).size).toBe(1);
    expect(await listOrders()).toHaveLength(1);
  });

  test('answers the order again after the book has gone', async () => {
    const first = await (await post(order(), 'one-key')).json();
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });

    const again = await post(order(), 'one-key');

    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(first);
  });

  test('with another body is refused with 422', async () => {
    await post(order(), 'one-key');
    await addBook(store.database.db, { ...emma, title: 'Persuasion' }, null);

    expect(await code(await post(order({ title: 'Persuasion' }), 'one-key'))).toEqual({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await listOrders()).toHaveLength(1);
  });

  test('belongs to its customer: another’s order under the same key is their own', async () => {
    await post(order(), 'one-key');
    const other = await store.signIn({ sub: 'other', email: 'other@example.com', name: 'Other' });

    const answer = await store.call('/addOrder', {
      json: order({ email: 'other@example.com' }),
      cookie: other,
      headers: { 'idempotency-key': 'one-key' },
    });

    const { _id } = await readJson<Order>(answer, 201);
    expect(_id).not.toBe((await listOrders())[0]?._id);
  });

  test('of a refused order can be used again', async () => {
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });
    expect((await post(order(), 'one-key')).status).toBe(404);
    await store.call(`/restoreBook/${emma.id}`, { method: 'POST', cookie });

    expect((await post(order(), 'one-key')).status).toBe(201);
  });
});

describe('GET /allOrder/{email}', () => {
  test('shows one’s own orders only, newest first, with title, author, price, time and _id', async () => {
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
    await store.call('/addOrder', { json: order({ email: 'other@example.com' }), cookie: other });
    await addBook(store.database.db, { ...emma, title: 'Persuasion', priceCents: 700 }, null);
    await post(order());
    await post(order({ title: 'Persuasion', price: 7 }));

    const orders = await listOrders();

    expect(orders.map(({ title }) => title)).toEqual(['Persuasion', 'Emma']);
    expect(Object.keys(orders[0] ?? {}).toSorted()).toEqual(['_id', 'author', 'price', 'time', 'title']);
  });

  test('answers 403 for somebody else’s, whoever they are', async () => {
    expect((await store.call('/allOrder/else@example.com', { cookie })).status).toBe(403);
    expect((await store.call('/allOrder/%20', { cookie })).status).toBe(403);
  });

  test('is kept by no cache', async () => {
    const { headers } = await store.call(`/allOrder/${reader.email}`, { cookie });

    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('keeps orders as they were when the book is repriced or deleted', async () => {
    await post(order());
    await store.database.db.updateTable('books').set({ price_cents: 1, title: 'Emma II' }).execute();
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });

    expect(await listOrders()).toMatchObject([{ title: 'Emma', price: 12.99 }]);
  });

  test('follows the customer, whose e-mail may change at the provider', async () => {
    await post(order());
    cookie = await store.signIn({ email: 'new@example.com' });

    expect((await store.call('/allOrder/reader@example.com', { cookie })).status).toBe(403);
    expect(await (await store.call('/allOrder/new@example.com', { cookie })).json()).toHaveLength(1);
  });

  test('shows at most 200, and leads to the rest by Link', async () => {
    const { customer_id: id } = await store.database.db
      .selectFrom('sessions')
      .select('customer_id')
      .executeTakeFirstOrThrow();
    const request = { title: emma.title, author: emma.author, priceCents: 1299, time: today };
    for (let index = 0; index < 205; index += 1) {
      await placeOrder(store.database.db, { ...reader, id }, request, undefined);
    }

    const first = await store.call(`/allOrder/${reader.email}`, { cookie });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await store.call(next, { cookie });

    expect(await first.json()).toHaveLength(200);
    expect(await second.json()).toHaveLength(5);
    expect(second.headers.get('link')).toBeNull();
  });
});
