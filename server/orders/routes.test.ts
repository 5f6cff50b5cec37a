import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { editBook } from '../catalogue/edit-book.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { emma as details, nextPage, reader, readJson, setUpTestStore } from '../testing/test-store.ts';

const today = new Date().toDateString();
const dayMs = 24 * 60 * 60 * 1000;

const store = setUpTestStore();
let cookie: string;
let emma: BookForSale;
beforeEach(async () => {
  cookie = await store.signIn();
  emma = await addBook(store.database.db, details, null);
});

/** The body that the spec's browser sends: its whole shared state. */
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
const post = (json: unknown, key?: string, asWhom = cookie) =>
  store.call(paths.addOrder, {
    json,
    cookie: asWhom,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const buy = async (over: Record<string, unknown> = {}, key?: string) =>
  await readJson<Order>(await post(order(over), key), 201);
const listOrders = async (query = '') =>
  await readJson<Order[]>(await store.call(paths.allOrder(reader.email) + query, { cookie }));

const deleteBook = (id: string) => store.call(`/deleteBook/${id}`, { method: 'DELETE', cookie });
const restoreBook = (id: string) => store.call(`/restoreBook/${id}`, { method: 'POST', cookie });
const changeBooks = (changes: { price_cents?: number; title?: string; image?: string }) =>
  store.database.db.updateTable('books').set(changes).execute();
const soldBooks = async () =>
  (await store.database.db.selectFrom('orders').select('book_id').orderBy('id').execute()).map(
    ({ book_id }) => book_id,
  );
const codeOf = async (response: Response) => {
  const { code } = await readJson<ProblemBody>(response, response.status);
  return [response.status, code];
};

describe('POST /addOrder', () => {
  test('stores a snapshot and returns it, and ignores the other fields of the shared state', async () => {
    const placed = await buy({ _id: 'x', success: true, price2: null, image: ['?'], photo: null });

    expect(placed).toEqual({
      _id: expect.any(String),
      number: expect.stringMatching(/^[A-Z34679]{8}$/),
      title: 'Emma',
      author: 'Jane Austen',
      price: 12.99,
      time: today,
      placedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      bookId: emma.id,
      state: 'new',
      total: 12.99,
      withdrawUntil: expect.stringMatching(/T23:59:59\.999Z$/),
    });
    expect(await listOrders()).toEqual([{ ...placed, image: emma.image }]);
    await changeBooks({ price_cents: 1, title: 'Emma II' });
    await deleteBook(emma.id);
    expect(await listOrders()).toEqual([{ ...placed, image: emma.image, bookGone: true }]);
  });

  test('takes the buyer from the session and rejects another e-mail', async () => {
    expect(await codeOf(await post(order({ email: 'else@example.com' })))).toEqual([403, 'NOT_ALLOWED']);
    await buy({ userName: 'Another Name', email: 'READER@example.com' });
    await post({ title: emma.title, author: emma.author, price: 12.99, time: today });

    const rows = await store.database.db.selectFrom('orders').select(['buyer_name', 'buyer_email']).execute();
    const buyer = { buyer_name: reader.name, buyer_email: reader.email };
    expect(rows).toEqual([buyer, buyer]);
  });

  test('responds BOOK_GONE for a book that never existed or was removed', async () => {
    expect(await codeOf(await post(order({ title: 'Emmas' })))).toEqual([404, 'BOOK_GONE']);
    expect(await codeOf(await post(order({ author: 'Anon' })))).toEqual([404, 'BOOK_GONE']);
    await deleteBook(emma.id);
    expect(await codeOf(await post(order()))).toEqual([404, 'BOOK_GONE']);
    expect(await listOrders()).toEqual([]);
  });

  test('responds PRICE_CHANGED when the posted price is not the current one', async () => {
    await changeBooks({ price_cents: 1250 });

    expect(await readJson(await post(order()), 409)).toMatchObject({
      code: 'PRICE_CHANGED',
      detail: 'It is $12.50 now.',
    });
    expect(await listOrders()).toEqual([]);
  });

  const by = 'It is “Emma II” by Jane Austen now, at';
  test.each<[string, Partial<BookDetails> | 'deleted', object, number, string, string?]>([
    ['is there', {}, {}, 201, 'placed'],
    ['has another price', { priceCents: 1250 }, {}, 409, 'PRICE_CHANGED', 'It is $12.50 now.'],
    ['has another title', { title: 'Emma II' }, {}, 409, 'BOOK_CHANGED', `${by} $12.99.`],
    ['has another author', { author: 'A' }, {}, 409, 'BOOK_CHANGED', 'It is “Twin” by A now, at $12.99.'],
    ['has both others', { title: 'Emma II', priceCents: 1250 }, {}, 409, 'BOOK_CHANGED', `${by} $12.50.`],
    ['has no copy', { copies: 0 }, {}, 409, 'SOLD_OUT'],
    ['is deleted', 'deleted', {}, 404, 'BOOK_GONE'],
    ['never was', {}, { bookId: 'nothing' }, 404, 'BOOK_GONE'],
    ['is another one', {}, { title: 'Emma' }, 409, 'BOOK_CHANGED'],
  ])(
    'by the id of a book that %s, while its twin is for sale',
    async (_, change, sent, status, code, detail) => {
      const { db } = store.database;
      // The two books have the same title, author and price, so an order without an id could mean either.
      const title = 'Twin';
      const { id } = await addBook(db, { ...emma, title, copies: 2 }, null);
      await addBook(db, { ...emma, title, copies: 2 }, null);
      if (change === 'deleted') await deleteBook(id);
      else await editBook(db, id, change, { actor: commandActor, isExpected: () => true });

      const response = await post(order({ title, bookId: id, ...sent }));

      expect(response.status).toBe(status);
      const answer = status === 201 ? { bookId: id } : { code, ...(detail !== undefined && { detail }) };
      expect(await response.json()).toMatchObject(answer);
      expect(await soldBooks()).toEqual(status === 201 ? [id] : []);
    },
  );

  test.each<[string, unknown]>([
    ['time', 'Sat Nov 21 1998'],
    ['time', new Date(Date.now() + 3 * dayMs).toDateString()],
    ['time', new Date().toISOString()],
    ['time', 'Mon Feb 30 2026'],
    ['time', '\ud800'],
    ['price', '12.99'],
    ['price', 12.999],
    ['price', -1],
    ['price', null],
    ['title', ''],
    ['author', 7],
    ['title', 'Emma\u0000'],
    ['email', 'reader@example.com\u0000'],
    ...[7, null, '', 'x\u0000', 'x'.repeat(65), ['x']].map((id): [string, unknown] => ['bookId', id]),
  ])('rejects %s %j and names the field', async (field, value) => {
    const response = await post(order({ [field]: value }));

    expect(await readJson(response, 400)).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
  });

  test('accepts yesterday and tomorrow, and a title of an older version, though it sets the writing direction', async () => {
    for (const days of [-1, 1]) {
      const time = new Date(Date.now() + days * dayMs).toUTCString();
      const [weekday, day, month, year] = time.replace(',', '').split(' ');
      await buy({ time: `${weekday} ${month} ${day} ${year}` });
    }
    const title = '\u2067Emma\u2069';
    await changeBooks({ title });
    expect(await buy({ title })).toMatchObject({ title });
  });

  test('rejects the Idempotency-Key that is empty, too long or not printable', async () => {
    for (const key of ['', 'a b', 'é', 'k'.repeat(256)]) {
      const headers = { cookie, 'idempotency-key': key };
      const call = { method: 'POST' as const, url: paths.addOrder, headers, payload: order() };
      const response = await store.app.inject(call);
      expect([key, response.statusCode]).toEqual([key, 400]);
      expect(response.json()).toMatchObject({ errors: [{ field: 'idempotency-key' }] });
    }
  });
});

describe('one Idempotency-Key', () => {
  test('of a rejected order can be used again, has its order also after the book was removed, and with another body is rejected with 422', async () => {
    await deleteBook(emma.id);
    expect((await post(order(), 'one-key')).status).toBe(404);
    await restoreBook(emma.id);
    const placed = await buy({}, 'one-key');
    await deleteBook(emma.id);

    expect(await buy({}, 'one-key')).toEqual(placed);

    await addBook(store.database.db, { ...emma, title: 'Persuasion' }, null);
    const other = await post(order({ title: 'Persuasion' }), 'one-key');
    expect(await codeOf(other)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await listOrders()).toHaveLength(1);
  });

  test('compares the book’s id where it is given, also with an order that was placed without', async () => {
    const twin = await addBook(store.database.db, emma, null);
    const placed = await buy({}, 'one-key');
    expect(placed.bookId).toBe(twin.id);

    expect(await buy({ bookId: twin.id }, 'one-key')).toEqual(placed);
    const other = await post(order({ bookId: emma.id }), 'one-key');
    expect(await codeOf(other)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);

    const named = await buy({ bookId: emma.id }, 'other-key');
    expect(named.bookId).toBe(emma.id);
    expect(await buy({}, 'other-key')).toEqual(named);
    expect((await post(order({ bookId: twin.id }), 'other-key')).status).toBe(422);
    expect(await listOrders()).toHaveLength(2);
  });

  test('belongs to one customer: another one places another order with it, and never gets that of the first', async () => {
    const first = await buy({}, 'one-key');
    const other = await store.signIn({ sub: 'other', email: 'other@example.com', name: 'Other' });
    const postAsOther = () => post(order({ email: 'other@example.com' }), 'one-key', other);
    await deleteBook(emma.id);
    expect(await codeOf(await postAsOther())).toEqual([404, 'BOOK_GONE']);
    await restoreBook(emma.id);

    expect((await readJson<Order>(await postAsOther(), 201))._id).not.toBe(first._id);
  });
});

test('GET /order/{id} has what the list has, for its buyer alone', async () => {
  const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
  const { _id } = await buy();
  const read = (id: string, asWhom = cookie) => store.call(paths.order(id), { cookie: asWhom });

  const response = await read(_id);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect([await readJson<Order>(response)]).toEqual(await listOrders());
  expect(await codeOf(await read('no-such-id'))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(await codeOf(await read(_id, other))).toEqual([404, 'ORDER_NOT_FOUND']);
});

describe('GET /allOrder/{email}', () => {
  test('lists the customer’s own orders only, newest first, with the fields of the contract', async () => {
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
    await post(order({ email: 'other@example.com' }), undefined, other);
    await addBook(store.database.db, { ...emma, title: 'Persuasion', priceCents: 700 }, null);
    await buy();
    const { _id } = await buy({ title: 'Persuasion', price: 7 });

    const orders = await listOrders();

    expect(orders.map(({ title }) => title)).toEqual(['Persuasion', 'Emma']);
    const contract = Type.Array(Order);
    expect(Value.Errors(contract, orders)).toEqual([]);
    expect(orders).toEqual(Value.Clean(contract, structuredClone(orders)));
    // A customer can ask for the orders of one book, or for one order.
    expect(await listOrders(`?book=${emma.id}`)).toMatchObject([{ title: 'Emma' }]);
    expect(await listOrders(`?order=${_id}`)).toMatchObject([{ title: 'Persuasion' }]);
    expect(await listOrders('?book=none')).toEqual([]);
    const ofOther = await store.call(`/allOrder/other@example.com?order=${_id}`, { cookie: other });
    expect(await ofOther.json()).toEqual([]);
  });

  test('is not cacheable', async () => {
    const { headers } = await store.call(`/allOrder/${reader.email}`, { cookie });
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('lists the orders under the new e-mail when it changes at the provider', async () => {
    await buy();
    cookie = await store.signIn({ email: 'new@example.com' });

    expect((await store.call('/allOrder/reader@example.com', { cookie })).status).toBe(403);
    expect(await (await store.call('/allOrder/new@example.com', { cookie })).json()).toHaveLength(1);
    const unclean = await store.call(paths.allOrder('new@example.com\n'), { cookie });
    expect(await readJson(unclean, 400)).toMatchObject({ errors: [{ field: 'email' }] });
  });

  test('lists at most 200, and links to the rest', async () => {
    const { db } = store.database;
    const placed = Array.from({ length: 205 }, (_, count) => ({ at: Date.now() + count }));
    await addOrders(db, await customerIdOf(db), placed);

    const first = await store.call(paths.allOrder(reader.email), { cookie });
    expect(await readJson<Order[]>(first)).toHaveLength(200);
    const second = await store.call(nextPage(first), { cookie });
    expect([(await readJson<Order[]>(second)).length, nextPage(second)]).toEqual([5, '']);
  });

  test('has the colour of a cover, and says when the shop has no page of a book', async () => {
    const { db } = store.database;
    const id = 'c'.repeat(32);
    const image = { id, width: 480, height: 720, created_at: 0, uploaded_by: null, colour: '#1c3a5e' };
    await db.insertInto('images').values(image).execute();
    await changeBooks({ image: `/images/${id}.webp` });
    await buy();
    const listed = async () => (await listOrders())[0];

    expect(await listed()).toMatchObject({ coverColour: '#1c3a5e', image: `/images/${id}.webp` });
    expect(await listed()).not.toHaveProperty('bookGone');
    await db.updateTable('books').set({ removed_at: 1, sold_out_at: 1 }).execute();
    expect(await listed()).not.toHaveProperty('bookGone');
    await db.updateTable('books').set({ sold_out_at: null }).execute();
    expect(await listed()).toMatchObject({ bookGone: true, image: `/images/${id}.webp` });
    await db.updateTable('orders').set({ book_id: 'never-there' }).execute();
    expect(await listed()).toMatchObject({ bookGone: true });
    expect(await listed()).not.toHaveProperty('image');
  });
});
