import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { Order } from '../../contract/order.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { editBook } from '../catalogue/edit-book.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { rollUpSales } from './sales-sums.ts';
import { withdrawForShop } from './withdrawal.ts';

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

/** Books of this title are twins: all that an order compares is the same. */
const title = 'Twin';
const addCopies = (copies: number | null) => addBook(store.database.db, { ...emma, title, copies }, null);
type Edit = Partial<BookDetails> | 'deleted' | 'sold out and deleted';
type Sent = Record<string, unknown>;
const edit = (id: string, changes: Partial<BookDetails>) =>
  editBook(store.database.db, id, changes, { actor: commandActor, isExpected: () => true });

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
      placedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
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

  describe('with the id of the book that the browser showed', () => {
    const sold = async () =>
      (await store.database.db.selectFrom('orders').select('book_id').orderBy('id').execute()).map(
        ({ book_id }) => book_id,
      );

    const by = 'It is “Emma II” by Jane Austen now, at';
    test.each<[string, Edit, Sent, number, string, string?]>([
      ['is there', {}, {}, 201, 'placed'],
      ['has another price', { priceCents: 1250 }, {}, 409, 'PRICE_CHANGED', 'It is $12.50 now.'],
      ['has another title', { title: 'Emma II' }, {}, 409, 'BOOK_CHANGED', `${by} $12.99.`],
      ['has another author', { author: 'A' }, {}, 409, 'BOOK_CHANGED', 'It is “Twin” by A now, at $12.99.'],
      ['has both others', { title: 'Emma II', priceCents: 1250 }, {}, 409, 'BOOK_CHANGED', `${by} $12.50.`],
      ['has no copy', { copies: 0 }, {}, 409, 'SOLD_OUT'],
      ['has no copy and another title', { copies: 0, title: 'Emma II' }, {}, 409, 'SOLD_OUT'],
      ['is deleted', 'deleted', {}, 404, 'BOOK_GONE'],
      ['was sold out and is deleted', 'sold out and deleted', {}, 404, 'BOOK_GONE'],
      ['never was', {}, { bookId: 'nothing' }, 404, 'BOOK_GONE'],
      ['is another one', {}, { title: 'Emma' }, 409, 'BOOK_CHANGED'],
    ])('whose book %s, while its twin is for sale', async (_, change, sent, status, code, detail) => {
      const { id } = await addCopies(2);
      await addCopies(2);
      if (change === 'sold out and deleted') await edit(id, { copies: 0 });
      if (typeof change === 'string') await store.call(`/deleteBook/${id}`, { method: 'DELETE', cookie });
      else await edit(id, change);

      const response = await post(order({ title, bookId: id, ...sent }));

      expect(response.status).toBe(status);
      const answer = status === 201 ? { bookId: id } : { code, ...(detail !== undefined && { detail }) };
      expect(await response.json()).toMatchObject(answer);
      expect(await sold()).toEqual(status === 201 ? [id] : []);
    });
  });

  test.each<[string, unknown]>([
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
    ...[7, null, '', 'x\u0000', 'x'.repeat(65), ['x']].map((id): [string, unknown] => ['bookId', id]),
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

  test('rejects the Idempotency-Key that is empty, too long or not printable', async () => {
    for (const key of ['', 'a b', 'é', 'k'.repeat(256)]) {
      const headers = { cookie, 'idempotency-key': key };
      const response = await store.app.inject({
        method: 'POST',
        url: '/addOrder',
        headers,
        payload: order(),
      });
      expect([key, response.statusCode]).toEqual([key, 400]);
      expect(response.json()).toMatchObject({ errors: [{ field: 'idempotency-key' }] });
    }
  });
});

describe('one Idempotency-Key', () => {
  test('with another body is rejected with 422', async () => {
    await post(order(), 'one-key');
    await addBook(store.database.db, { ...emma, title: 'Persuasion' }, null);

    expect(await problem(await post(order({ title: 'Persuasion' }), 'one-key'))).toEqual({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await listOrders()).toHaveLength(1);
  });

  test('compares the book’s id where it is given, also with an order that was placed without', async () => {
    const twin = await addBook(store.database.db, emma, null);
    const placed = await readJson<Order>(await post(order(), 'one-key'), 201);
    expect(placed.bookId).toBe(twin.id);

    const again = await post(order({ bookId: twin.id }), 'one-key');
    expect(await readJson(again, 201)).toEqual(placed);
    expect(await problem(await post(order({ bookId: emma.id }), 'one-key'))).toEqual({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });

    const named = await readJson<Order>(await post(order({ bookId: emma.id }), 'other-key'), 201);
    expect(named.bookId).toBe(emma.id);
    expect(await readJson(await post(order(), 'other-key'), 201)).toEqual(named);
    expect((await post(order({ bookId: twin.id }), 'other-key')).status).toBe(422);
    expect(await listOrders()).toHaveLength(2);
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

  test('of a rejected order can be used again, and has its order also after the book was removed', async () => {
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });
    expect((await post(order(), 'one-key')).status).toBe(404);
    await store.call(`/restoreBook/${emma.id}`, { method: 'POST', cookie });
    const placed = await readJson<Order>(await post(order(), 'one-key'), 201);
    await store.call(`/deleteBook/${emma.id}`, { method: 'DELETE', cookie });

    expect(await readJson(await post(order(), 'one-key'), 201)).toEqual(placed);
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

  test('is not cacheable', async () => {
    const { headers } = await store.call(`/allOrder/${reader.email}`, { cookie });
    expect(headers.get('cache-control')).toBe('private, no-store');
    const unclean = await store.call(`/allOrder/${encodeURIComponent(`${reader.email}\n`)}`, { cookie });
    expect(await readJson(unclean, 400)).toMatchObject({ errors: [{ field: 'email' }] });
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
    await addOrders(
      store.database.db,
      await customerIdOf(store.database.db),
      Array.from({ length: 205 }, (_, count) => ({ at: Date.now() - 1_000 + count })),
    );

    const first = await store.call(`/allOrder/${reader.email}`, { cookie });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await store.call(next, { cookie });

    expect(await first.json()).toHaveLength(200);
    expect(await second.json()).toHaveLength(5);
    expect(second.headers.get('link')).toBeNull();
    expect(second.headers.get('orders-total')).toBeNull();
  });

  test('says on the first page of several what all the orders cost that were not withdrawn', async () => {
    const { db } = store.database;
    const hourMs = 60 * 60 * 1000;
    const customerId = await customerIdOf(db);
    const now = Date.now();
    const ids = await addOrders(
      db,
      customerId,
      Array.from({ length: 12 }, (_, count) => ({ at: now - (count < 8 ? 48 : 0.1) * hourMs + count })),
    );
    await store.signIn({ sub: 'other', email: 'other@example.com' });
    await addOrders(db, await customerIdOf(db, 'other'), [{ at: now - 48 * hourMs }, { at: now }]);
    const pageOf = async (query: string) => {
      const response = await store.call(`/allOrder/${reader.email}${query}`, { cookie });
      return { total: response.headers.get('orders-total'), orders: await readJson<Order[]>(response) };
    };

    expect((await pageOf('?limit=5')).total).toBe('12;155.88');
    await rollUpSales(db);
    expect((await pageOf('?limit=5')).total).toBe('12;155.88');
    const [first = ''] = ids;
    await withdrawForShop(db, first, { sendsMail: false }, commandActor);
    await withdrawForShop(db, ids.at(-1) ?? '', { sendsMail: false }, commandActor);
    expect((await pageOf('?limit=5')).total).toBe('10;129.90');
    expect((await pageOf(`?limit=5&cursor=${ids[10]}`)).total).toBeNull();
    expect((await pageOf('?limit=5&book=b1')).total).toBeNull();
    // The list itself has them all.
    expect((await pageOf('')).total).toBeNull();
  });

  test('lists the orders of one book, or one order', async () => {
    const { db } = store.database;
    await addBook(db, { ...emma, title: 'Persuasion', priceCents: 700 }, null);
    await post(order());
    await post(order());
    const { _id } = await readJson<Order>(await post(order({ title: 'Persuasion', price: 7 })), 201);
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
    const listed = async (query: string) =>
      await readJson<Order[]>(await store.call(`/allOrder/${reader.email}${query}`, { cookie }));

    expect(await listed(`?book=${emma.id}`)).toMatchObject([{ title: 'Emma' }, { title: 'Emma' }]);
    expect(await listed(`?order=${_id}`)).toMatchObject([{ title: 'Persuasion' }]);
    expect(await listed('?book=none')).toEqual([]);
    const ofOther = await store.call(`/allOrder/other@example.com?order=${_id}`, { cookie: other });
    expect(await ofOther.json()).toEqual([]);
  });

  test('has the colour of a cover, and says when the shop has no page of a book', async () => {
    const { db } = store.database;
    const id = 'c'.repeat(32);
    await db
      .insertInto('images')
      .values({ id, width: 480, height: 720, created_at: 0, uploaded_by: null, colour: '#1c3a5e' })
      .execute();
    await db
      .updateTable('books')
      .set({ image: `/images/${id}.webp` })
      .execute();
    await post(order());

    expect(await listOrders()).toMatchObject([{ coverColour: '#1c3a5e', image: `/images/${id}.webp` }]);
    expect((await listOrders())[0]).not.toHaveProperty('bookGone');
    await db.updateTable('books').set({ removed_at: 1, sold_out_at: 1 }).execute();
    expect((await listOrders())[0]).not.toHaveProperty('bookGone');
    await db.updateTable('books').set({ sold_out_at: null }).execute();
    expect(await listOrders()).toMatchObject([{ bookGone: true, image: `/images/${id}.webp` }]);
    await db.updateTable('orders').set({ book_id: 'never-there' }).execute();
    expect(await listOrders()).toMatchObject([{ bookGone: true }]);
    expect((await listOrders())[0]).not.toHaveProperty('image');
  });
});
