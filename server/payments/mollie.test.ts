/** Payments by Mollie: the real store against a small Mollie, whose webhooks have an id and no signature. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { json as readBody } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { addBook } from '../catalogue/books.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { emma, orderOf, readJson, setUpTestStore } from '../testing/test-store.ts';

const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
const mollie = { apiKey: 'test_key', apiUrl: new URL(origin) };
const admin = { sub: 'owner', email: 'owner@shop.example' };
const payments = { ways: ['mollie'], days: 7, mollie };
const store = setUpTestStore({ settings: { adminEmails: [admin.email], currency: 'EUR', payments } });

type Sent = { amount: { value: string; currency: string }; [name: string]: unknown };
let ledger: Map<string, { sent: Sent; status: string; refundedCents: number; chargedBack: string }>;
let calls: string[];
/** What the keys have done: a call with the same key has the same answer. */
let done: Map<string, string>;
let losesRefund: boolean;
/** What is told instead of the truth. */
let lie: object;
const server = createServer(async (request, response) => {
  const { method, url = '', headers } = request;
  calls.push(`${method} ${url}`);
  if (headers.authorization !== 'Bearer test_key') return response.writeHead(401).end('{}');
  const key = String(headers['idempotency-key']);
  const [, id = done.get(key) ?? `tr_${ledger.size + 1}`, act] =
    /^\/v2\/payments(?:\/(\w+))?(\/refunds)?$/.exec(url) ?? [];
  const sent = method === 'POST' ? ((await readBody(request)) as Sent) : undefined;
  if (sent && !act && !done.has(key))
    ledger.set(id, { sent, status: 'open', refundedCents: 0, chargedBack: '0.00' });
  const payment = ledger.get(id);
  if (!payment) return response.writeHead(404).end('{}');
  if (sent && act && !done.has(key)) payment.refundedCents += Number(sent.amount.value) * 100;
  if (sent) done.set(key, id);
  if (act && losesRefund) return response.destroy();
  const { amount } = payment.sent;
  const amountOf = (value: string) => ({ ...amount, value });
  const answer = {
    ...{ id, status: payment.status, amount },
    _links: payment.status === 'open' ? { checkout: { href: `${origin}/checkout/${id}` } } : {},
    ...(payment.status === 'paid' && {
      amountRefunded: amountOf((payment.refundedCents / 100).toFixed(2)),
      amountChargedBack: amountOf(payment.chargedBack),
    }),
  };
  return response.writeHead(sent ? 201 : 200).end(JSON.stringify({ ...answer, ...lie }));
});
beforeAll(async () => {
  await once(server.listen(port, '127.0.0.1'), 'listening');
});
afterAll(() => server.close().closeAllConnections());

let cookie: string;
let owner: string;
beforeEach(async () => {
  [ledger, done, calls, losesRefund, lie] = [new Map(), new Map(), [], false, {}];
  cookie = await store.signIn();
  owner = await store.signIn(admin);
  await addBook(store.database.db, emma, null);
});

const buy = async () =>
  await readJson<Order>(await store.call(paths.addOrder, { cookie, json: orderOf(emma) }), 201);
const stateOf = async ({ _id }: Order) =>
  (await readJson<Order>(await store.call(paths.order(_id), { cookie }))).payment?.state;
const open = async ({ _id }: Order) =>
  (
    await readJson<{ url: string }>(
      await store.call(paymentPaths.pay(_id), { cookie, json: { with: 'mollie' } }),
      201,
    )
  ).url;
const webhook = (id: string) =>
  store.call(paymentPaths.webhook('mollie'), { method: 'POST', body: new URLSearchParams({ id }) });
const set = (id: string, changes: object) => Object.assign(ledger.get(id) ?? {}, changes);

test('an order is paid on Mollie’s page: its webhook has an id alone, and nothing is asked about an unknown one', async () => {
  const order = await buy();
  const page = await open(order);
  expect([page, await open(order)]).toEqual([`${origin}/checkout/tr_1`, page]);
  expect(ledger.get('tr_1')?.sent).toEqual({
    amount: { currency: 'EUR', value: '12.99' },
    description: `Order ${order.number}`,
    redirectUrl: `http://localhost:3000${paymentPaths.done(order._id)}`,
    cancelUrl: `http://localhost:3000/orders/${order._id}`,
    webhookUrl: `http://localhost:3000${paymentPaths.webhook('mollie')}`,
    metadata: { reference: order.number },
  });
  calls = [];
  for (const id of ['tr_2', '', '\0', 'tr_1/../../evil']) expect((await webhook(id)).status).toBe(200);
  expect(calls).toEqual([]);
  expect([(await webhook('tr_1')).status, await stateOf(order)]).toEqual([200, 'due']);

  set('tr_1', { status: 'paid' });
  await Promise.all([webhook('tr_1'), webhook('tr_1')]);

  expect(await stateOf(order)).toBe('paid');
});

test('an expired page is followed by another one; a refund whose answer is lost is made once, and a chargeback counts', async () => {
  const [order, other] = [await buy(), await buy()];
  await open(order);
  set('tr_1', { status: 'expired' });
  expect(await open(order)).toBe(`${origin}/checkout/tr_2`);
  await open(other);
  for (const id of ['tr_2', 'tr_3']) set(id, { status: 'paid' });
  for (const id of ['tr_2', 'tr_3']) await webhook(id);
  await store.call(withdrawalPaths.order(order._id), { method: 'POST', cookie });
  const refund = () =>
    store.call(deskPaths.orderSettle(order._id), { cookie: owner, json: { isRefunded: true } });

  losesRefund = true;
  const refunded = await readJson<DeskOrder>(await refund());
  set('tr_3', { chargedBack: '12.99' });
  await webhook('tr_3');

  expect(refunded.payment).toMatchObject({ state: 'refunded', paid: 12.99, refunded: 12.99 });
  expect([...ledger.values()].map(({ refundedCents }) => Math.round(refundedCents))).toEqual([0, 1299, 0]);
  expect(await stateOf(other)).toBe('refunded');
});

const wentBack = (value: string) => ({
  amountRefunded: { value, currency: 'EUR' },
  amountRemaining: { value: '99.00', currency: 'EUR' },
});
const paidWith = (value: string, currency = 'EUR') => ({ status: 'paid', amount: { value, currency } });
test.each<[string, object]>([
  ['of another payment', { ...paidWith('12.99'), id: 'tr_9' }],
  ['in another currency', paidWith('12.99', 'JPY')],
  ['of a negative amount', paidWith('-12.99')],
  ['of more money than there is', paidWith('1e300')],
  ['of no amount', paidWith('all')],
  ['of a negative refund', { ...paidWith('12.99'), ...wentBack('-1.00'), amountChargedBack: undefined }],
  ['with a page that is a script', { _links: { checkout: { href: 'javascript:alert(1)' } } }],
])('an answer %s is not believed, and Mollie is asked again', async (_, untrue) => {
  const order = await buy();
  const pay = { cookie, json: { with: 'mollie' } };
  await open(order);
  lie = untrue;

  expect((await webhook('tr_1')).status).toBe(503);
  expect((await store.call(paymentPaths.pay(order._id), pay)).status).toBe(503);

  lie = {};
  set('tr_1', { status: 'paid' });
  expect([(await webhook('tr_1')).status, await stateOf(order)]).toEqual([200, 'paid']);
});
