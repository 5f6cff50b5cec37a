import { beforeEach, describe, expect, test } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { BestSeller, Sales } from '../../contract/desk/sales.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { about, shopOf } from '../testing/acts.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { readJson, setUpTestStore } from '../testing/test-store.ts';
import { withdrawForShop } from './acts/withdraw-order.ts';
import { checkSales } from './check-sales.ts';
import { listBestSellers, listSales } from './sales.ts';
import { rollUpSales } from './sales-sums.ts';

const hour = 60 * 60 * 1000;
/** A Wednesday. */
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

type Sold = { at: string; book?: string; cents?: number };
const sell = (...sold: readonly Sold[]) =>
  addOrders(
    store.database.db,
    customerId,
    sold.map(({ at, book = 'b1', cents = 1000 }) => ({
      at: Date.parse(at),
      bookId: book,
      title: book,
      priceCents: cents,
    })),
  );

type Range = { by?: 'day' | 'week' | 'month'; from?: string; to?: string };
const list = (range: Range = {}, zone = 'UTC') =>
  listSales(store.database.db, { by: 'day', ...range }, { zone, now });
const best = (range: { from?: string; to?: string; limit?: number } = {}, zone = 'UTC') =>
  listBestSellers(store.database.db, { limit: 10, ...range }, { zone, now });
const rolledUp = async () => {
  const rows = await store.database.db.selectFrom('sales_quarters').select('orders').execute();
  return rows.reduce((sum, { orders }) => sum + orders, 0);
};
const sold = (sales: readonly Sales[]) => sales.filter(({ orders }) => orders > 0);

test('an order of an older version, whose id is of the month before its time, is no fault of the roll-up', async () => {
  await sell({ at: '2026-01-31T23:59:59.999Z' }, { at: '2026-02-01T00:00:00.000Z' });
  const { db } = store.database;
  const midnight = Date.parse('2026-02-01');
  await db.updateTable('orders').set({ placed_at: midnight }).execute();
  await rollUpSales(db, { now });

  expect(await checkSales(db)).toEqual({ orders: 2, days: 1, faults: [] });

  await db.updateTable('sales_books_by_month').set({ orders: 2 }).execute();
  expect((await checkSales(db)).faults).toEqual([
    'The sales of the month of 2026-01-01 differ from its orders.',
    'The sales of the month of 2026-02-01 differ from its orders.',
  ]);
});

describe('sales', () => {
  test('are counted by day, week and month, with those of nothing, the same before and after a roll-up', async () => {
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
      // Without a whole month, with some, and with days before, after and on both sides of them.
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

    const before = await read();
    await rollUpSales(store.database.db, { now });
    expect(await rolledUp()).toBe(5);

    expect(await read()).toEqual(before);
    expect(before.days).toHaveLength(30);
    expect([before.days[0], before.days.at(-1)]).toEqual([
      { from: '2026-02-10', to: '2026-02-10', orders: 0, revenue: 0 },
      { from: '2026-03-11', to: '2026-03-11', orders: 2, revenue: 6500 },
    ]);
    expect(before.weeks).toHaveLength(26);
    expect(before.weeks.slice(-3)).toEqual([
      { from: '2026-02-23', to: '2026-03-01', orders: 0, revenue: 0 },
      { from: '2026-03-02', to: '2026-03-08', orders: 1, revenue: 3 },
      { from: '2026-03-09', to: '2026-03-11', orders: 3, revenue: 6540 },
    ]);
    expect(before.months).toHaveLength(24);
    expect(before.months.slice(-3)).toEqual([
      { from: '2026-01-01', to: '2026-01-31', orders: 1, revenue: 0.01 },
      { from: '2026-02-01', to: '2026-02-28', orders: 1, revenue: 0.2 },
      { from: '2026-03-01', to: '2026-03-11', orders: 4, revenue: 6543 },
    ]);
    expect(before.range).toEqual([
      { from: '2026-03-08', to: '2026-03-08', orders: 1, revenue: 3 },
      { from: '2026-03-09', to: '2026-03-09', orders: 1, revenue: 40 },
    ]);
    expect(before.week).toEqual([{ from: '2026-03-08', to: '2026-03-08', orders: 1, revenue: 3 }]);
    expect(before.ranges).toEqual([0.21, 0.2, 0.21, 43.2, 6543.21, 6543.21]);
    expect(before.books).toMatchObject([{ _id: 'b1', orders: 6, revenue: 6543.21 }]);
  });

  test('have each order once when a roll-up was stopped and two nodes go on at once, in many steps', async () => {
    const { db } = store.database;
    const hours = Array.from({ length: 10_500 }, (_, index) => ({
      at: new Date(now - 2 * hour - index * 60_000).toISOString(),
      book: `b${index % 7}`,
      cents: index % 100,
    }));
    await sell(...hours);
    const before = { sales: await list(), books: await best() };
    const second = await store.openDatabaseAgain();
    let steps = 0;
    const stopsAfterOne = {
      get aborted() {
        steps += 1;
        return steps > 1;
      },
    } as AbortSignal;
    await rollUpSales(db, { now, signal: stopsAfterOne });
    expect(await rolledUp()).toBe(5_000);

    await Promise.all([
      ...[db, second.db, db].map((node) => rollUpSales(node, { now })),
      // Whoever looks meanwhile sees the same.
      ...Array.from({ length: 10 }, async () => expect(await list()).toEqual(before.sales)),
    ]);
    await rollUpSales(second.db, { now });

    expect(await rolledUp()).toBe(10_500);
    expect({ sales: await list(), books: await best() }).toEqual(before);
  });

  test('have the orders of the hours after a roll-up by a clock that is ahead', async () => {
    const { db } = store.database;
    await sell({ at: '2026-03-11T09:00:00Z' });
    for (const at of ['2026-03-11T12:00:00Z', '2026-03-11T12:30:00Z']) {
      await rollUpSales(db, { now: now + 5 * hour });
      await sell({ at });
    }

    expect(sold(await list())).toMatchObject([{ from: '2026-03-11', orders: 3, revenue: 30 }]);
    expect((await checkSales(db)).faults).toEqual([]);
  });

  test('are without withdrawn orders, each taken out once, before and after a roll-up', async () => {
    const { db } = store.database;
    const ids = await sell(
      // Its month by the id is another one than that of its day.
      { at: '2026-01-31T23:59:59.999Z', book: 'b2' },
      ...Array.from({ length: 6 }, () => ({ at: '2026-03-01T10:00:00Z' })),
      { at: '2026-03-11T11:59:00Z' },
    );
    const [first = '', second = '', third = '', ...rest] = ids;
    const recent = rest.at(-1) ?? '';
    await db
      .updateTable('orders')
      .set({ placed_at: Date.parse('2026-02-01') })
      .where('id', '=', first)
      .execute();
    const withdraw = (id: string, on = db) => withdrawForShop.run(shopOf(on), about(id));
    const other = await store.openDatabaseAgain();

    await withdraw(second);
    await Promise.all([
      rollUpSales(db, { now }),
      withdraw(third, other.db),
      withdraw(third),
      rollUpSales(other.db, { now }),
    ]);
    for (const id of [first, recent]) await withdraw(id);

    expect(sold(await list({ from: '2026-01-01' }))).toMatchObject([
      { from: '2026-03-01', orders: 4, revenue: 40 },
    ]);
    expect(sold(await list({ by: 'month' }))).toMatchObject([{ from: '2026-03-01', orders: 4, revenue: 40 }]);
    expect(await best({ from: '2026-01-01' })).toMatchObject([{ _id: 'b1', orders: 4, revenue: 40 }]);
    expect((await checkSales(db)).faults).toEqual([]);
    await rollUpSales(db, { now: now + hour });
    expect(await checkSales(db)).toMatchObject({ orders: 4, faults: [] });
  });

  test('of a zone have its days, also where the clocks change, the same before and after a roll-up', async () => {
    await sell(
      // In Berlin on 28 and 29 March, whose second has 23 hours, and on 24 to 26 October, whose second has 25.
      { at: '2025-03-28T22:59:59.999Z', cents: 1 },
      { at: '2025-03-28T23:00:00.000Z', cents: 20 },
      { at: '2025-03-29T23:00:00.000Z', cents: 300 },
      { at: '2025-03-30T21:59:59.999Z', cents: 4000 },
      { at: '2025-03-30T22:00:00.000Z', cents: 50_000 },
      { at: '2025-10-25T21:59:59.999Z', cents: 2 },
      { at: '2025-10-25T22:00:00.000Z', cents: 30 },
      { at: '2025-10-26T22:59:59.999Z', cents: 400 },
      { at: '2025-10-26T23:00:00.000Z', cents: 5000 },
      // The zone of Apia passed over the 30th.
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

    const before = await read();
    await rollUpSales(store.database.db, { now });
    const after = await read();

    expect(await rolledUp()).toBe(11);
    expect(after).toEqual(before);
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
    await sell({ at: new Date().toISOString() }, { at: '2026-02-28T10:00:00Z', cents: 1250 });

    const sales = await readJson<Sales[]>(await get(deskPaths.sales));
    const books = await readJson<BestSeller[]>(await get(deskPaths.bestSellers));
    const file = await get(`${deskPaths.salesExport}?by=month&from=2026-01-15&to=2026-02-28`);

    const today = new Date().toISOString().slice(0, 10);
    expect(sales.at(-1)).toEqual({ from: today, to: today, orders: 1, revenue: 10 });
    expect(books).toEqual([{ _id: 'b1', title: '', author: '', orders: 1, revenue: 10 }]);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const name = 'sales-by-month-from-2026-01-15-to-2026-02-28-';
    expect(file.headers.get('content-disposition')).toContain(name);
    expect(await file.text()).toBe(
      'from,to,orders,revenue\r\n2026-01-15,2026-01-31,0,0.00\r\n2026-02-01,2026-02-28,1,12.50\r\n',
    );
  });

  test('refuse days that there are not, in the wrong order or too many', async () => {
    for (const [path, query, field] of [
      [deskPaths.sales, 'by=year', 'by'],
      [deskPaths.sales, 'from=2026-02-30', 'from'],
      [deskPaths.sales, 'from=0001-01-01', 'from'],
      [deskPaths.salesExport, 'from=2026-03-02&to=2026-03-01', 'to'],
      [deskPaths.bestSellers, 'limit=0', 'limit'],
      [deskPaths.bestSellers, 'from=2016-01-01&to=2026-03-01', 'from'],
    ] as const) {
      const { errors } = await readJson<ProblemBody>(await get(`${path}?${query}`), 400);
      expect([path, query, errors?.[0]?.field]).toEqual([path, query, field]);
    }
  });
});
