import { beforeEach, expect, test } from 'vitest';
import type { DeskOrder, OrderWithHistory } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { commandActor } from '../activity/activity.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { shopOf } from '../testing/acts.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { readJson, setUpTestStore } from '../testing/test-store.ts';
import { markOrders } from './acts/mark-orders.ts';

const admin = { sub: 'ada', email: 'ada@example.com' };
const store = setUpTestStore({ settings: { adminEmails: [admin.email] } });
let cookie: string;
let customerId: string;
let ids: string[];
beforeEach(async () => {
  cookie = await store.signIn(admin);
  await store.signIn();
  customerId = await customerIdOf(store.database.db);
  ids = await addOrders(
    store.database.db,
    customerId,
    [1, 2, 3].map((count) => ({ at: Date.now() - 10_000 + count })),
  );
});

const note = (id: string, text: string) =>
  store.call(deskPaths.orderNote(id), { method: 'POST', cookie, json: { note: text } });
const find = async (id: string) =>
  await readJson<OrderWithHistory>(await store.call(deskPaths.order(id), { cookie }));

test('the history of an order has what was done with it alone, or with others too', async () => {
  const { db } = store.database;
  const [first = '', second = '', third = ''] = ids;
  await markOrders.run(shopOf(db), { params: {}, query: {}, body: { ids: [first, second], isSent: true } });
  await markOrders.run(shopOf(db), { params: {}, query: {}, body: { ids: [first], isSent: false } });
  await markOrders.run(shopOf(db), { params: {}, query: {}, body: { ids: [third], isSent: true } });

  expect((await find(first)).history.map(({ action, details }) => [action, details?.['isSent']])).toEqual([
    ['orders-marked', false],
    ['orders-marked', true],
  ]);
  expect((await find(second)).history).toHaveLength(1);
  await readJson<ProblemBody>(await store.call(deskPaths.order('none'), { cookie }), 404);
});

test('a note is kept in lines, is recorded without its words, and goes with the person', async () => {
  const [first = ''] = ids;

  const noted = await readJson<DeskOrder>(await note(first, ' Wrap it. \r\n\r\nCalled. '));
  expect(noted.note).toBe('Wrap it.\nCalled.');
  const { history } = await find(first);
  expect(history).toMatchObject([{ action: 'order-noted', email: admin.email, details: { isNoted: true } }]);
  expect(JSON.stringify(history)).not.toContain('Wrap');
  const exported = await (await store.call(deskPaths.customerExport(customerId), { cookie })).text();
  expect(exported).toContain('Wrap it.');
  const file = await (await store.call(`${deskPaths.ordersExport}?q=${first}`, { cookie })).text();
  expect(file).toMatch(/,note,number,currency,.*\r\n.*"Wrap it\.\nCalled\.",\w{8},USD,.*\r\n$/s);

  await eraseCustomer(store.database.db, customerId, commandActor);
  expect(await readJson<ProblemBody>(await note(first, 'Her name'), 404)).toMatchObject({
    code: 'CUSTOMER_NOT_FOUND',
  });
  expect((await find(first)).order.note).toBeNull();
});
