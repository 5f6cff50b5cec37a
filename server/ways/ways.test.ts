import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import { maxCents } from '../../contract/money.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import type { Way } from '../../contract/ways.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { customerIdOf } from '../testing/orders.ts';
import { emma as details, orderOf, readJson, setUpTestStore } from '../testing/test-store.ts';

const admin = { sub: 'admin', email: 'admin@example.com' };
const store = setUpTestStore({ settings: { adminEmails: [admin.email] } });
let cookie: string;
let adminCookie: string;
let emma: BookForSale;
beforeEach(async () => {
  cookie = await store.signIn();
  adminCookie = await store.signIn(admin);
  emma = await addBook(store.database.db, details, null);
});

const postWay = (id: string, over: object = {}, asWhom = adminCookie) => {
  const json = { name: 'Post', price: { value: '4.90' }, asksAddress: true, ...over };
  return store.call(deskPaths.way(id), { json, cookie: asWhom });
};
const setWay = async (id: string, over: object = {}) => await readJson<Way[]>(await postWay(id, over));
const removeWay = (id: string) =>
  store.call(deskPaths.wayRemove(id), { method: 'POST', cookie: adminCookie });
const shown = async () => await readJson<Way[]>(await store.call(paths.ways));
const idsOf = (ways: readonly Way[]) => ways.map(({ id }) => id).join(' ');

const post = (over: object = {}, key?: string) =>
  store.call(paths.addOrder, {
    json: { ...orderOf(emma), ...over },
    cookie,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const buy = async (over: object = {}, key?: string) => await readJson<Order>(await post(over, key), 201);
const refusal = async (over: object = {}, key?: string) => {
  const response = await post(over, key);
  const { code, detail } = await readJson<ProblemBody>(response, response.status);
  return [response.status, code, detail];
};
const orderCount = async () => (await store.database.db.selectFrom('orders').select('id').execute()).length;

describe('the owner’s list of ways', () => {
  test('is public, in the owner’s order, and a change shows at once', async () => {
    expect(await shown()).toEqual([]);
    await setWay('post', { name: ' Post ', line: ' Two days. ' });
    await setWay('collect', {
      name: 'Collect it',
      price: { value: 0 },
      asksAddress: false,
      payOnCollection: true,
    });
    const ways = await setWay('bike', { position: 1 });

    expect(await shown()).toEqual(ways);
    expect(ways).toMatchObject([
      { id: 'bike' },
      {
        id: 'post',
        name: 'Post',
        price: { value: 4.9 },
        asksAddress: true,
        payOnCollection: false,
        line: 'Two days.',
      },
      { id: 'collect', price: { value: 0 }, asksAddress: false, payOnCollection: true, line: '' },
    ]);
    expect(idsOf(await setWay('post', { name: 'Parcel' }))).toBe('bike post collect');
    expect(idsOf(await setWay('bike', { position: 99 }))).toBe('post collect bike');
    expect(await readJson(await removeWay('post'))).toMatchObject([{ id: 'collect' }, { id: 'bike' }]);
    expect(idsOf(await shown())).toBe('collect bike');
    expect(await readJson(await removeWay('post'), 404)).toMatchObject({ code: 'WAY_NOT_FOUND' });
    const { entries } = await listActivity(store.database.db, { limit: 2 });
    expect(entries).toMatchObject([
      { action: 'way-removed', subject: 'post', details: { name: 'Parcel' } },
      { action: 'way-set', subject: 'bike', details: { name: 'Post', price: 4.9 }, email: admin.email },
    ]);
  });

  test('is changed by the owner alone, holds fifty, and takes only what can be shown', async () => {
    expect((await postWay('post', {}, cookie)).status).toBe(403);
    for (const [id, over, field] of [
      ['Post', {}, 'id'],
      ['x'.repeat(61), {}, 'id'],
      ['post', { name: ' ' }, 'name'],
      ['post', { name: 'x'.repeat(61) }, 'name'],
      ['post', { price: { value: '-1' } }, 'price.value'],
      ['post', { price: { value: '10000000' } }, 'price.value'],
      ['post', { line: 'a\nb' }, 'line'],
      ['post', { position: 0 }, 'position'],
    ] as const)
      expect(await readJson(await postWay(id, over), 400)).toMatchObject({ errors: [{ field }] });
    for (let count = 0; count < 50; count += 1) await setWay(`way-${count}`);
    expect(await readJson(await postWay('one-more'), 409)).toMatchObject({ code: 'TOO_MANY_WAYS' });
    expect(await setWay('way-0', { name: 'Still there' })).toHaveLength(50);
  });
});

describe('an order', () => {
  test.each([null, 3])(
    'of a book with %s copies keeps the way and its price as they were',
    async (copies) => {
      await setWay('post');
      await setWay('collect', {
        name: 'Collect it',
        price: { value: 0 },
        asksAddress: false,
        payOnCollection: true,
      });
      await store.database.db.deleteFrom('books').execute();
      emma = await addBook(store.database.db, { ...details, copies }, null);
      const gift = { text: ' For Ada,\r\nwith love. \n' };
      const placed = await buy({ way: 'post', total: 17.89, gift });
      await setWay('post', { name: 'Parcel', price: { value: 9 } });
      await removeWay('post');

      const delivery = { name: 'Post', price: 4.9, asksAddress: true, payOnCollection: false };
      expect(placed).toMatchObject({
        price: 12.99,
        delivery,
        total: 17.89,
        gift: { text: 'For Ada,\nwith love.' },
      });
      expect(await readJson(await store.call(paths.order(placed._id), { cookie }))).toMatchObject(placed);
      const collected = await buy({ way: 'collect', gift: {} });
      expect(collected).toMatchObject({
        ...{ delivery: { name: 'Collect it', price: 0, asksAddress: false, payOnCollection: true } },
        ...{ total: 12.99, gift: { text: '' } },
      });
      await removeWay('collect');
      const plain = await buy();
      expect(plain).toMatchObject({ total: 12.99 });
      for (const member of ['delivery', 'gift']) expect(plain).not.toHaveProperty(member);
    },
  );

  const gone = 'We no longer offer this way to get the book.';
  const changed = 'The total is $17.89 now, with $4.90 for “Post”.';
  test.each<[string, object, number, string, string | undefined]>([
    ['without a way', {}, 400, 'WAY_MISSING', undefined],
    ['with a total alone', { total: 12.99 }, 400, 'WAY_MISSING', undefined],
    ['with a way that was removed', { way: 'bike', total: 12.99 }, 409, 'DELIVERY_CHANGED', gone],
    ['with a way’s name', { way: 'Post' }, 409, 'DELIVERY_CHANGED', gone],
    ['without what the way costs', { way: 'post', total: 12.99 }, 409, 'DELIVERY_CHANGED', changed],
    ['with a total of another way', { way: 'post', total: 22.99 }, 409, 'DELIVERY_CHANGED', changed],
    ['with a total that is near', { way: 'post', total: 17.88 }, 409, 'DELIVERY_CHANGED', changed],
    ['with a total of 0', { way: 'post', total: 0 }, 409, 'DELIVERY_CHANGED', changed],
    ['at another price', { way: 'post', price: 10, total: 14.9 }, 409, 'PRICE_CHANGED', 'It is $12.99 now.'],
  ])('%s is refused, in a shop with ways', async (_, over, status, code, detail) => {
    await setWay('post');
    await setWay('courier', { price: { value: 10 } });

    expect(await refusal(over)).toEqual([status, code, detail]);
    expect(await orderCount()).toBe(0);
  });

  test('with a way or with another total is refused in a shop without ways', async () => {
    expect(await refusal({ way: 'post', total: 12.99 })).toEqual([409, 'DELIVERY_CHANGED', gone]);
    expect(await refusal({ total: 17.89 })).toEqual([409, 'DELIVERY_CHANGED', 'The total is $12.99 now.']);
    expect(await buy({ total: 12.99 })).toMatchObject({ total: 12.99 });
  });

  test.each<[string, unknown]>([
    ['way', ''],
    ['way', 7],
    ['total', -1],
    ['total', 1e300],
    ['total', '17.89'],
    ['gift', true],
    ['gift.text', { text: 'x'.repeat(301) }],
    ['gift.text', { text: 'a\u0000b' }],
  ])('with %s %j is refused by the name of the field', async (field, value) => {
    const response = await post({ [field.replace('.text', '')]: value });

    expect(await readJson(response, 400)).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
  });

  test('of the dearest book in the dearest way has its whole total', async () => {
    await store.database.db.updateTable('books').set({ price_cents: maxCents }).execute();
    await setWay('post', { price: { value: '9999999.99' } });

    const placed = await buy({ price: 9_999_999.99, way: 'post', total: 19_999_999.98 });

    expect(placed).toMatchObject({ total: 19_999_999.98 });
    const listed = await readJson<Order[]>(await store.call(deskPaths.orders, { cookie: adminCookie }));
    expect(listed).toMatchObject([{ total: 19_999_999.98, delivery: { price: 9_999_999.99 } }]);
  });
});

test('a key compares the way, the total and the gift, and a key of before ways were known is still good', async () => {
  const { db } = store.database;
  const before = await buy({}, 'old-key');
  const sent = JSON.stringify([emma.title, emma.author, emma.priceCents, before.time]);
  const stored = db.selectFrom('orders').select('request_hash').where('id', '=', before._id);
  expect(await stored.executeTakeFirst()).toEqual({ request_hash: hash('sha256', sent, 'base64url') });
  await setWay('post');
  await setWay('courier');
  expect(await buy({}, 'old-key')).toEqual(before);

  const ordered = { way: 'post', total: 17.89, gift: { text: 'For Ada' } };
  const placed = await buy(ordered, 'one-key');
  await setWay('post', { price: { value: 9 } });
  expect(await buy(ordered, 'one-key')).toEqual(placed);
  await removeWay('post');
  expect(await buy(ordered, 'one-key')).toEqual(placed);
  for (const other of [
    { way: 'courier' },
    { total: 12.99 },
    { gift: { text: 'For Eve' } },
    { gift: undefined },
  ])
    expect((await refusal({ ...ordered, ...other }, 'one-key')).slice(0, 2)).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  expect(await orderCount()).toBe(2);
});

test('an erasure takes the words of a gift, and leaves the way and the sums', async () => {
  const { db } = store.database;
  await setWay('post');
  await buy({ way: 'post', gift: { text: 'For Ada' } });

  await eraseCustomer(db, await customerIdOf(db), commandActor);

  const file = await store.call(`${deskPaths.ordersExport}?format=jsonl`, { cookie: adminCookie });
  const order = JSON.parse(await file.text());
  expect(order).toMatchObject({ delivery: { name: 'Post', price: 4.9 }, total: 17.89 });
  expect(order).not.toHaveProperty('gift');
});

test('a removed way and an order in it at the same time: the order is placed whole or refused', async () => {
  const sent = { way: 'post', total: 17.89 };
  for (let round = 0; round < 5; round += 1) {
    await setWay('post');
    const [removed, ...placed] = await Promise.all([
      removeWay('post'),
      ...Array.from({ length: 5 }, () => post(sent)),
    ]);
    expect(removed.status).toBe(200);
    for (const response of placed) {
      const body = await readJson<Order & ProblemBody>(response, response.status);
      if (response.status === 201)
        expect(body).toMatchObject({ delivery: { name: 'Post', price: 4.9 }, total: 17.89 });
      // Without any way, the shop takes no order that names one.
      else expect([response.status, body.code]).toEqual([409, 'DELIVERY_CHANGED']);
    }
  }
});
