import { beforeEach, describe, expect, test } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { BestSeller, Sales } from '../../contract/desk/sales.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { about, shopOf } from '../testing/acts.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { readJson, setUpTestStore } from '../testing/test-store.ts';
import { withdrawForShop } from './acts/change-order.ts';
import { listBestSellers, listSales } from './sales.ts';

/** This day is a Wednesday. */
const now = Date.parse('2026-03-11T12:00:00Z');
const admin = { sub: 'ada', email: 'ada@example.com' };

const store = setUpTestStore({ settings: { adminEmails: [admin.email] } });
let cookie: string;
let customerId: string;
beforeEach(async () => {
  cookie = await store.signIn(admin);
  await store.signIn();
  customerId = await customerIdOf(store.database.db);
});

type Sold = { at: string; book?: string; cents?: number; delivery?: number };
const sell = (...sold: readonly Sold[]) =>
  addOrders(
    store.database.db,
    customerId,
    sold.map(({ at, book = 'b1', cents = 1000, delivery }) => ({
      at: Date.parse(at),
      bookId: book,
      title: book,
      priceCents: cents,
      deliveryCents: delivery,
    })),
  );

type Range = { by?: 'day' | 'week' | 'month'; from?: string; to?: string };
const list = (range: Range = {}, zone = 'UTC') =>
  listSales(store.database.db, { by: 'day', ...range }, { zone, now });
const best = (range: { from?: string; to?: string; limit?: number } = {}, zone = 'UTC') =>
  listBestSellers(store.database.db, { limit: 10, ...range }, { zone, now });
const sold = (sales: readonly Sales[]) => sales.filter(({ orders }) => orders > 0);

describe('sales', () => {
  test('are counted by day, week and month, with those of nothing', async () => {
    await sell(
      { at: '2026-01-31T23:59:59.999Z', cents: 1 },
      { at: '2026-02-01T00:00:00.000Z', cents: 20 },
      { at: '2026-03-08T23:59:59.999Z', cents: 300 },
      { at: '2026-03-09T00:00:00.000Z', cents: 4000 },
      { at: '2026-03-11T10:59:59.999Z', cents: 50_000 },
      { at: '2026-03-11T11:30:00.000Z', cents: 600_000 },
    );
    const read = async () => ({
      days: await list(),
      weeks: await list({ by: 'week' }),
      months: await list({ by: 'month' }),
      range: await list({ from: '2026-03-08', to: '2026-03-09' }),
      week: await list({ by: 'week', from: '2026-03-08', to: '2026-03-08' }),
      books: await best({ from: '2026-01-31' }),
      // Periods without a whole month, with some, and with extra days before, after and on both sides.
      ranges: await Promise.all(
        [
          ['2026-01-31', '2026-02-27'],
          ['2026-02-01', '2026-02-28'],
          ['2026-01-31', '2026-02-28'],
          ['2026-02-01', '2026-03-09'],
          ['2026-01-02', '2026-03-11'],
          ['2025-12-01', '2026-03-31'],
        ].map(async ([from = '', to = '']) => (await best({ from, to }))[0]?.revenue),
      ),
    });

    const sales = await read();

    expect(sales.days).toHaveLength(30);
    expect([sales.days[0], sales.days.at(-1)]).toMatchObject([
      { from: '2026-02-10', to: '2026-02-10', orders: 0, revenue: 0 },
      { from: '2026-03-11', to: '2026-03-11', orders: 2, revenue: 6500 },
    ]);
    expect(sales.weeks).toHaveLength(26);
    expect(sales.weeks.slice(-3)).toMatchObject([
      { from: '2026-02-23', to: '2026-03-01', orders: 0, revenue: 0 },
      { from: '2026-03-02', to: '2026-03-08', orders: 1, revenue: 3 },
      { from: '2026-03-09', to: '2026-03-11', orders: 3, revenue: 6540 },
    ]);
    expect(sales.months).toHaveLength(24);
    expect(sales.months.slice(-3)).toMatchObject([
      { from: '2026-01-01', to: '2026-01-31', orders: 1, revenue: 0.01 },
      { from: '2026-02-01', to: '2026-02-28', orders: 1, revenue: 0.2 },
      { from: '2026-03-01', to: '2026-03-11', orders: 4, revenue: 6543 },
    ]);
    expect(sales.range).toMatchObject([
      { from: '2026-03-08', to: '2026-03-08', orders: 1, revenue: 3 },
      { from: '2026-03-09', to: '2026-03-09', orders: 1, revenue: 40 },
    ]);
    expect(sales.week).toMatchObject([{ from: '2026-03-08', to: '2026-03-08', orders: 1, revenue: 3 }]);
    expect(sales.ranges).toEqual([0.21, 0.2, 0.21, 43.2, 6543.21, 6543.21]);
    expect(sales.books).toMatchObject([{ _id: 'b1', orders: 6, revenue: 6543.21 }]);
  });

  test('are without withdrawn orders', async () => {
    const { db } = store.database;
    const [first = '', second = ''] = await sell(
      { at: '2026-01-31T10:00:00Z', book: 'b2' },
      ...Array.from({ length: 5 }, () => ({ at: '2026-03-01T10:00:00Z' })),
    );

    for (const id of [first, second]) await withdrawForShop.run(shopOf(db), about(id));

    const sales = [{ from: '2026-03-01', orders: 4, revenue: 40 }];
    expect(sold(await list({ from: '2026-01-01' }))).toMatchObject(sales);
    expect(sold(await list({ by: 'month' }))).toMatchObject(sales);
    expect(await best({ from: '2026-01-01' })).toMatchObject([{ _id: 'b1', orders: 4, revenue: 40 }]);
  });

  test('of a zone have its days, also where the clocks change', async () => {
    await sell(
      // The days are 28 and 29 March in Berlin, of which the second has 23 hours, and 24 to 26 October, of which the second has 25.
      { at: '2025-03-28T22:59:59.999Z', cents: 1 },
      { at: '2025-03-28T23:00:00.000Z', cents: 20 },
      { at: '2025-03-29T23:00:00.000Z', cents: 300 },
      { at: '2025-03-30T21:59:59.999Z', cents: 4000 },
      { at: '2025-03-30T22:00:00.000Z', cents: 50_000 },
      { at: '2025-10-25T21:59:59.999Z', cents: 2 },
      { at: '2025-10-25T22:00:00.000Z', cents: 30 },
      { at: '2025-10-26T22:59:59.999Z', cents: 400 },
      { at: '2025-10-26T23:00:00.000Z', cents: 5000 },
      // The time zone of Apia skipped the 30th.
      { at: '2011-12-30T09:30:00.000Z' },
      { at: '2011-12-30T10:30:00.000Z' },
    );
    const berlin = 'Europe/Berlin';
    const spring = { from: '2025-03-29', to: '2025-03-31' };
    const autumn = { from: '2025-10-25', to: '2025-10-27' };
    const read = async () => ({
      spring: (await list(spring, berlin)).map(({ revenue }) => revenue),
      autumn: (await list(autumn, berlin)).map(({ revenue }) => revenue),
      months: (await list({ by: 'month', from: '2025-03-29', to: '2025-10-31' }, berlin)).map(
        ({ revenue }) => revenue,
      ),
      apia: (await list({ from: '2011-12-29', to: '2011-12-31' }, 'Pacific/Apia')).map(
        ({ orders }) => orders,
      ),
      books: await Promise.all(
        [spring, autumn].map(async (range) => (await best(range, berlin))[0]?.revenue),
      ),
    });

    const after = await read();

    expect(after.spring).toEqual([0.2, 43, 500]);
    expect(after.autumn).toEqual([0.02, 4.3, 50]);
    expect(after.apia).toEqual([1, 0, 1]);
    expect(after.months).toEqual([543.2, 0, 0, 0, 0, 0, 0, 54.32]);
    expect(after.books).toEqual([543.2, 54.32]);
  });
});

describe('the calls', () => {
  const get = (path: string) => store.call(path, { cookie });

  test('have today by default, and export the rows as a file', async () => {
    await sell({ at: new Date().toISOString(), delivery: 490 }, { at: '2026-02-28T10:00:00Z', cents: 1250 });

    const sales = await readJson<Sales[]>(await get(deskPaths.sales));
    const books = await readJson<BestSeller[]>(await get(deskPaths.bestSellers));
    const file = await get(`${deskPaths.salesExport}?by=month&from=2026-01-15&to=2026-02-28`);

    const today = new Date().toISOString().slice(0, 10);
    expect(sales.at(-1)).toEqual({ from: today, to: today, orders: 1, revenue: 10, delivery: 4.9 });
    expect(books).toEqual([{ _id: 'b1', title: '', author: '', orders: 1, revenue: 10 }]);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const name = 'sales-by-month-from-2026-01-15-to-2026-02-28-';
    expect(file.headers.get('content-disposition')).toContain(name);
    expect(await file.text()).toBe(
      'from,to,orders,revenue,delivery\r\n2026-01-15,2026-01-31,0,0.00,0.00\r\n2026-02-01,2026-02-28,1,12.50,0.00\r\n',
    );
  });

  test('refuse days that there are not, in the wrong order or too many', async () => {
    for (const [path, query, field] of [
      [deskPaths.sales, 'by=year', 'by'],
      [deskPaths.sales, 'from=2026-02-30', 'from'],
      [deskPaths.sales, 'from=0001-01-01', 'from'],
      [deskPaths.salesExport, 'from=2026-03-02&to=2026-03-01', 'to'],
      [deskPaths.bestSellers, 'limit=0', 'limit'],
      [deskPaths.bestSellers, 'from=2026-03-02&to=2026-03-01', 'to'],
    ] as const) {
      const { errors } = await readJson<ProblemBody>(await get(`${path}?${query}`), 400);
      expect([path, query, errors?.[0]?.field]).toEqual([path, query, field]);
    }
  });
});
