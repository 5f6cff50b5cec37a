import { beforeEach, describe, expect, test } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths, screens } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { addBook } from '../catalogue/books.ts';
import { findDeskBook } from '../catalogue/desk-books.ts';
import { emma, emmaSent, orderOf, readJson, setUpTestStore } from '../testing/test-store.ts';
import { checkCurrency } from './check-currency.ts';

const admin = { email: 'admin@example.com', sub: 'admin' };
const adminEmails = [admin.email];

describe('a shop in euros', () => {
  const store = setUpTestStore({ settings: { adminEmails, currency: 'EUR', orderButton: 'Order and pay' } });

  test('says so on its pages, in its feed, in what it refuses and in its files, and its orders keep the currency', async () => {
    const { db } = store.database;
    const { id } = await addBook(db, emma, null);
    const textOf = async (path: string, cookie = '') => await (await store.call(path, { cookie })).text();
    const cookie = await store.signIn(admin);

    const page = await textOf(screens.book(id));
    expect(page).toContain('for €12.99 at');
    expect(page).toContain('"price":"12.99","priceCurrency":"EUR"');
    expect(page).toContain('"currency":"EUR"');
    expect(page).toContain('"orderButton":"Order and pay"');
    expect(await textOf(paths.feed)).toContain('<opds:price currencycode="EUR">12.99</opds:price>');
    const order = (json: object) => store.call(paths.addOrder, { json, cookie });
    const refused = await readJson<ProblemBody>(
      await order(orderOf({ ...emma, priceCents: 1 }, admin.email)),
      409,
    );
    expect(refused.detail).toBe('It is €12.99 now.');
    await readJson(await order(orderOf(emma, admin.email)), 201);
    expect(await textOf(deskPaths.ordersExport, cookie)).toMatch(/,12\.99,.*,EUR,,,12\.99,,,,,,,\r\n$/);

    await readJson(await order(orderOf(emma, admin.email)), 201);
    const counts: number[] = [];
    const counted = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        counts.push(result.rows.length);
        return result;
      },
    });
    await checkCurrency(counted, 'EUR');
    // A start that reads all orders would run out of memory in a shop with a million.
    expect(counts).toEqual([1]);
    await expect(checkCurrency(db, 'USD')).rejects.toThrow(
      'CURRENCY: this shop has orders in EUR, so it cannot be USD: in another one, sums and refunds would be wrong.',
    );
  });
});

describe('a shop in yen, which have no decimals,', () => {
  const store = setUpTestStore({ settings: { adminEmails, currency: 'JPY' } });
  let cookie: string;
  beforeEach(async () => {
    cookie = await store.signIn(admin);
  });
  const send = (method: string, path: string, json: object) => store.call(path, { method, json, cookie });
  const bookOf = (value: unknown) => ({ ...emmaSent, price: { value } });
  const faultOf = async (response: Response) =>
    (await readJson<ProblemBody>(response, 400)).errors?.map(({ field }) => field);

  test('refuses a price with a fraction wherever one is given, by its name, and rounds a percentage to whole ones', async () => {
    const book = await readJson<{ _id: string }>(await send('POST', paths.addBook, bookOf('1300.00')), 201);
    const { version } = (await findDeskBook(store.database.db, book._id)) ?? {};
    const books = [{ _id: book._id, version }];
    const change = (by: object) => send('POST', deskPaths.booksChange, { books, change: by });

    for (const price of ['12.50', 12.5]) {
      expect(await faultOf(await send('POST', paths.addBook, bookOf(price)))).toEqual(['price.value']);
      const edit = await send('PATCH', paths.book(book._id), { price: { value: price } });
      expect(await faultOf(edit)).toEqual(['price.value']);
      expect(await faultOf(await change({ price: { value: price } }))).toEqual(['change.price.value']);
      const way = await send('POST', deskPaths.way('post'), { name: 'Post', price: { value: price } });
      expect(await faultOf(way)).toEqual(['price.value']);
    }
    const file = `title,author,price,image\nPersuasion,Jane Austen,12.50,${emma.image}\n`;
    const headers = { 'content-type': 'text/csv' };
    const imported = await store.call(deskPaths.booksImport, { method: 'POST', cookie, headers, body: file });
    expect(await imported.text()).toContain(
      '"line":2,"column":"price","reason":"Write an amount without decimals: the store’s currency has none."',
    );
    expect(await readJson(await change({ pricePercent: 4.95 }))).toMatchObject({
      changed: [{ to: { price: 1364 } }],
    });
    expect(await (await store.call(paths.feed)).text()).toContain('currencycode="JPY">1364</opds:price>');
    expect(await (await store.call(deskPaths.booksExport, { cookie })).text()).toContain(',1364,');
  });

  test('does not start while books for sale have a price with a fraction, and says how many', async () => {
    const { db } = store.database;
    await addBook(db, { ...emma, priceCents: 130_000 }, null);
    await expect(checkCurrency(db, 'JPY')).resolves.toBeUndefined();

    const way = { id: 'post', name: 'Post', price_cents: 490, asks_address: 1, pay_on_collection: 0 };
    await db
      .insertInto('ways')
      .values({ ...way, line: '', position: 0 })
      .execute();
    await expect(checkCurrency(db, 'JPY')).rejects.toThrow(
      'CURRENCY: JPY has no decimals, and 1 way has a price with a fraction.',
    );
    await addBook(db, emma, null);
    await addBook(db, { ...emma, priceCents: 1 }, null);
    await expect(checkCurrency(db, 'JPY')).rejects.toThrow(
      'CURRENCY: JPY has no decimals, and 2 books have a price with a fraction.',
    );
    await expect(checkCurrency(db, 'EUR')).resolves.toBeUndefined();
  });
});
