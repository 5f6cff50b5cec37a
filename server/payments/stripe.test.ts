/** Payments by Stripe: the real store and the official client, against the demo's provider, which loses answers and webhooks. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Today } from '../../contract/desk/today.ts';
import type { Order } from '../../contract/order.ts';
import { paths, screens } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import type { Tables } from '../database/tables.ts';
import { openPaymentProvider } from '../demo/payment-pages.ts';
import { jsonOf } from '../demo/payments.ts';
import { openLog } from '../http/log.ts';
import { storedOrders } from '../orders/orders.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { emma, orderOf, readJson, setUpTestStore } from '../testing/test-store.ts';
import { openMollie } from './mollie.ts';
import { openPayments } from './open.ts';
import type { Payment } from './payments.ts';
import type { Provider } from './providers.ts';
import { newCharge } from './standing.ts';
import { openStripe } from './stripe.ts';

const keys = { secretKey: 'sk_test_shop', webhookSecret: 'whsec_shop' };
const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
const admin = { sub: 'owner', email: 'owner@shop.example' };
const settings = {
  adminEmails: [admin.email],
  payments: { ways: ['stripe'], days: 7, stripe: { ...keys, apiUrl: new URL(origin) } },
};
const store = setUpTestStore({ settings });
const dayMs = 86_400_000;

let demo: ReturnType<typeof openPaymentProvider>;
/** The calls of the store, and what happens to each: `down` it is refused; `lost` it is done, and its answer is lost. */
let calls: string[];
let fault: (call: string) => 'down' | 'lost' | undefined;
/** So many sessions are opened at the same time, by a provider that knows no keys. */
let atOnce: { left: number; opened: PromiseWithResolvers<void> } | undefined;
/** Webhooks of refunds and disputes, which a test sends or loses. */
let events: Parameters<(typeof demo)['payments']['send']>[0][];
const server = createServer(async (request, response) => {
  const call = `${request.method} ${request.url?.replace(/\?.*|\/cs_test_\w+/g, '')}`;
  calls.push(call);
  if (atOnce && call === 'POST /v1/checkout/sessions') {
    delete request.headers['idempotency-key'];
    atOnce.left -= 1;
    if (atOnce.left === 0) atOnce.opened.resolve();
    await atOnce.opened.promise;
  }
  const happens = fault(call);
  if (happens === 'down') return response.destroy();
  if (happens !== 'lost') return await demo.handle(request, response);
  const lost = { writeHead: () => lost, end: () => response.destroy() } as unknown as typeof response;
  await demo.handle(request, lost);
});
beforeAll(async () => {
  await once(server.listen(port, '127.0.0.1'), 'listening');
});
afterAll(() => server.close().closeAllConnections());

let cookie: string;
let owner: string;
let bookId: string;
beforeEach(async () => {
  [calls, events, fault, atOnce] = [[], [], () => undefined, undefined];
  const webhookUrl = store.origin + paymentPaths.webhook('stripe');
  demo = openPaymentProvider({
    ...{ ...keys, origin, webhookUrl, storeOrigin: store.origin, storeName: 'Colophon' },
    onEvent: (event) => events.push(event),
  });
  cookie = await store.signIn();
  owner = await store.signIn(admin);
  bookId = (await addBook(store.database.db, { ...emma, copies: 100 }, null)).id;
});

/** Another node of the store, on the same database. */
const openNode = ({ db } = store.database, providers?: Provider[]) => {
  const outbox = { senders: { mail: false, webhooks: true }, wake() {} };
  const shop = { settings: { ...settings, publicUrl: new URL(store.origin) }, log: openLog('silent') };
  return openPayments({ db, outbox, onShelfChanged() {}, ...shop }, providers);
};
const buy = async () =>
  await readJson<Order>(await store.call(paths.addOrder, { cookie, json: orderOf(emma) }), 201);
const read = async ({ _id }: Order) => await readJson<Order>(await store.call(paths.order(_id), { cookie }));
const stateOf = async (order: Order) => {
  const { state, payment } = await read(order);
  return [state, payment?.state];
};
const onDesk = async ({ _id }: Order) =>
  (await readJson<{ order: DeskOrder }>(await store.call(deskPaths.order(_id), { cookie: owner }))).order;
const open = ({ _id }: Order, json: object = { with: 'stripe' }) =>
  store.call(paymentPaths.pay(_id), { cookie, json });
const codeOf = async (response: Response) => (await readJson<ProblemBody>(response, response.status)).code;
/** @returns the provider's name of the session that a click on Pay leads to. */
const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const openPage = async (order: Order) =>
  nameOf((await readJson<{ url: string }>(await open(order), 201)).url);
const webhook = (name: string, type = 'checkout.session.completed') =>
  demo.payments.send({ type, data: { object: jsonOf(demo.payments.find(name)) } });
const comeBack = ({ _id }: Order) => store.call(paymentPaths.done(_id));
const pay = async (name: string) => {
  demo.payments.pay(name);
  await webhook(name);
  return name;
};
const withdraw = ({ _id }: Order) => store.call(withdrawalPaths.order(_id), { method: 'POST', cookie });
const refund = ({ _id }: Order) =>
  store.call(deskPaths.orderSettle(_id), { cookie: owner, json: { isRefunded: true } });
const set = (changes: Partial<Tables['charges']>) =>
  store.database.db
    .updateTable('charges')
    .set(changes as object)
    .execute();
const over = ({ number }: Order) =>
  store.database.db.updateTable('payments').set({ due_until: 1 }).where('reference', '=', number).execute();
const ledger = () =>
  [...demo.payments.sessions.values()].map(({ status, payment_intent: intent }) => [
    intent ? 'paid' : status,
    intent?.latest_charge.amount_refunded ?? 0,
  ]);
const left = async () =>
  (await store.database.db.selectFrom('stock').select('left').where('book_id', '=', bookId).execute())[0]
    ?.left;
const surplus = async () =>
  (await readJson<Today>(await store.call(deskPaths.today, { cookie: owner }))).surplus;

describe('paying', () => {
  test('leads to a page that two tabs share, and is settled once by a webhook, the return and the sweeps of two nodes at the same time', async () => {
    const nodes = [openNode(), openNode(await store.openDatabaseAgain())];
    for (let round = 0; round < 5; round += 1) {
      const order = await buy();
      const pages = await Promise.all([openPage(order), openPage(order), openPage(order)]);
      expect(new Set(pages).size).toBe(1);
      expect(await openPage(order)).toBe(pages[0]);
      const name = pages[0] ?? '';
      expect(demo.payments.find(name)).toMatchObject({
        ...{ amount_total: 1299, currency: 'usd', client_reference_id: order.number },
        cancel_url: `http://localhost:3000${screens.order(order._id)}`,
      });
      demo.payments.pay(name);
      await set({ ask_at: 1 });

      const back = await Promise.all([
        ...[comeBack(order), webhook(name), webhook(name), comeBack(order)],
        ...nodes.map((node) => node.sweep()),
      ]);

      expect(back[0]).toMatchObject({ status: 303 });
      expect((back[0] as Response).headers.get('location')).toBe(screens.order(order._id));
      expect(await stateOf(order)).toEqual(['new', 'paid']);
      expect(await codeOf(await open(order))).toBe('ALREADY_PAID');
    }
    const rows = await store.database.db.selectFrom('payments').select('paid_cents').execute();
    expect(rows.map(({ paid_cents }) => paid_cents)).toEqual(Array(5).fill(1299));
    const paid = nodes.reduce((sum, { counts }) => sum + counts.paid.sweep, 0);
    expect(paid).toBeLessThanOrEqual(5);
    expect(await surplus()).toBe(0);
  });

  test('leads clicks on two nodes to one page, though the provider opens one for each', async () => {
    const nodes = [openNode(), openNode(await store.openDatabaseAgain())];
    atOnce = { left: 4, opened: Promise.withResolvers() };
    const order = await buy();
    const stored = storedOrders(store.database.db).where('id', '=', order._id);

    const clicks = [...nodes, ...nodes].map(async (node) =>
      node.pay(await stored.executeTakeFirstOrThrow(), 'stripe'),
    );
    const pages = new Set(await Promise.all(clicks));

    expect(demo.payments.sessions.size).toBe(4);
    expect([...pages].map(nameOf)).toEqual([await openPage(order)]);
    const charges = await store.database.db.selectFrom('charges').select('id').execute();
    expect(charges).toEqual([{ id: await openPage(order) }]);
  });

  test('is for the buyer, while the order is due, and by a way of the shop', async () => {
    const [order, late, withdrawn] = [await buy(), await buy(), await buy()];
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
    const asOther = store.call(paymentPaths.pay(order._id), { cookie: other, json: { with: 'stripe' } });
    expect(await codeOf(await asOther)).toBe('ORDER_NOT_FOUND');
    expect(await codeOf(await open(order, { with: 'transfer' }))).toBe('VALIDATION_FAILED');
    await over(late);
    expect(await codeOf(await open(late))).toBe('TOO_LATE');
    await openNode().sweep();
    expect(await codeOf(await open(late))).toBe('TOO_LATE');
    await withdraw(withdrawn);
    expect(await codeOf(await open(withdrawn))).toBe('WITHDRAWN');
    expect(ledger()).toEqual([]);
  });

  test.each([
    ['EUR', 1299, 1299],
    ['JPY', 130_000, 1300],
    ['ISK', 130_000, 130_000],
    ['MGA', 130_000, 1300],
  ])('in %s of %i hundredths is %i of Stripe’s units', async (currency, cents, amount) => {
    const provider = openStripe({ ...keys, apiUrl: new URL(origin) });
    const payment = { currency, cents, reference: 'K7M3PQRT' } as Payment;
    const urls = { done: origin, back: origin, webhook: origin };
    const opening = { urls, key: currency, expiresAt: Date.now() + 3_600_000 };
    const { id, url } = await provider.open(payment, opening);
    demo.payments.pay(nameOf(url ?? ''));
    const told = await provider.ask(id, payment);
    await provider.refund({ id, intent: told.intent }, cents, payment, 'once');

    expect(demo.payments.find(id).payment_intent).toMatchObject({
      ...{ amount_received: amount, latest_charge: { amount_refunded: amount } },
    });
    expect([told.cents, (await provider.ask(id, payment)).refundedCents]).toEqual([cents, cents]);
  });

  test('by one provider is possible while another one, whose page is open, does not answer', async () => {
    const order = await buy();
    const apiUrl = new URL(`http://127.0.0.1:${await findFreePort()}`);
    const node = openNode(store.database, [
      openStripe({ ...keys, apiUrl: new URL(origin) }),
      openMollie({ apiKey: 'test_key', apiUrl }),
    ]);
    const charge = newCharge({ id: 'tr_1', reference: order.number, way: 'mollie', ask_at: Date.now() });
    await store.database.db.insertInto('charges').values(charge).execute();
    const stored = await storedOrders(store.database.db)
      .where('id', '=', order._id)
      .executeTakeFirstOrThrow();

    await expect(node.pay(stored, 'mollie')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await pay(nameOf(await node.pay(stored, 'stripe')));

    expect(ledger()).toEqual([['paid', 0]]);
    expect(await node.settle(order.number, 'desk').catch(({ code }) => code)).toBe('UNAVAILABLE');
    expect(await stateOf(order)).toEqual(['new', 'paid']);
  });

  test('goes on after an answer of the provider was lost, with the same session', async () => {
    // The end of a session, which is a part of the key, is rounded to five minutes.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const order = await buy();
    fault = (call) => (call === 'POST /v1/checkout/sessions' ? 'lost' : undefined);
    expect(await codeOf(await open(order))).toBe('UNAVAILABLE');
    fault = () => undefined;

    await pay(await openPage(order));

    expect([ledger(), await stateOf(order)]).toEqual([[['paid', 0]], ['new', 'paid']]);
  });
});

describe('a webhook', () => {
  test('is believed by its signature and its id alone: what it says of money is not read', async () => {
    const [order, other] = [await buy(), await buy()];
    const name = await openPage(order);
    const post = (body: string, headers: Record<string, string> = {}) =>
      store.call(paymentPaths.webhook('stripe'), { method: 'POST', body, headers });
    const session = {
      ...jsonOf(demo.payments.find(name)),
      payment_status: 'paid',
      amount_total: 1,
    };
    const forged = JSON.stringify({ type: 'checkout.session.completed', data: { object: session } });
    calls = [];

    expect((await post(forged)).status).toBe(400);
    expect(
      (await post(forged, { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=00` })).status,
    ).toBe(400);
    expect((await post('x'.repeat(300_000))).status).toBe(413);
    expect((await store.call(paymentPaths.webhook('paypal'), { method: 'POST', body: forged })).status).toBe(
      404,
    );
    expect(
      await demo.payments.send({ type: 'x', data: { object: { ...session, id: 'cs_test_unknown' } } }),
    ).toBe(true);
    expect(calls).toEqual([]);
    const lies = { ...session, client_reference_id: other.number, metadata: { reference: other.number } };
    expect(await demo.payments.send({ type: 'checkout.session.completed', data: { object: lies } })).toBe(
      true,
    );

    expect(calls).toEqual(['GET /v1/checkout/sessions']);
    expect([await stateOf(order), await stateOf(other)]).toEqual([
      ['new', 'due'],
      ['new', 'due'],
    ]);
  });

  test('that comes while the provider does not answer is to be sent again, and the sweep settles it without', async () => {
    const order = await buy();
    const name = await openPage(order);
    fault = () => 'down';
    demo.payments.pay(name);
    expect(await webhook(name)).toBe(false);
    expect((await comeBack(order)).status).toBe(303);
    expect(await stateOf(order)).toEqual(['new', 'due']);
    fault = () => undefined;
    const node = openNode();

    await node.sweep();
    expect(node.counts.paid.sweep).toBe(0);
    await set({ ask_at: 1 });
    await node.sweep();

    expect([await stateOf(order), node.counts.paid.sweep]).toEqual([['new', 'paid'], 1]);
  });
});

describe('an order whose time to pay is over', () => {
  test('is held, with its copy, while its buyer may pay: then it is paid, or cancelled once by two nodes', async () => {
    const nodes = [openNode(), openNode(await store.openDatabaseAgain())];
    const sweep = () => Promise.all(nodes.map((node) => node.sweep()));
    const [paid, unpaid] = [await buy(), await buy()];
    const [name, other] = [await openPage(paid), await openPage(unpaid)];
    for (const order of [paid, unpaid]) await over(order);
    await set({ ask_at: 1 });
    await sweep();
    expect([await stateOf(paid), await stateOf(unpaid), await left()]).toEqual([
      ...[
        ['new', 'due'],
        ['new', 'due'],
      ],
      98,
    ]);

    demo.payments.pay(name);
    demo.payments.find(other).expires_at = 0;
    // The provider does not answer at first: nothing expires unasked.
    await set({ ask_at: 1 });
    fault = () => 'down';
    await sweep();
    expect(await stateOf(unpaid)).toEqual(['new', 'due']);
    fault = () => undefined;
    await set({ ask_at: 1 });
    await sweep();

    expect([await stateOf(paid), await stateOf(unpaid)]).toEqual([
      ['new', 'paid'],
      ['cancelled', 'expired'],
    ]);
    expect([await left(), ledger()]).toEqual([
      99,
      [
        ['paid', 0],
        ['expired', 0],
      ],
    ]);
    expect(await codeOf(await open(unpaid))).toBe('TOO_LATE');
  });
});

test('a session that the provider no longer knows, as after a change of the account, holds its order no longer than it lived', async () => {
  const [order, late] = [await buy(), await buy()];
  for (const one of [order, late]) await openPage(one);
  demo.payments.sessions.clear();
  await over(late);
  await set({ ask_at: 1 });
  await openNode().sweep();
  expect(await stateOf(late)).toEqual(['new', 'due']);

  await set({ ask_at: 1, expires_at: 1 });
  await openNode().sweep();

  await pay(await openPage(order));
  expect([await stateOf(order), await stateOf(late)]).toEqual([
    ['new', 'paid'],
    ['cancelled', 'expired'],
  ]);
});

test('a session that was paid while the shop had no provider counts at its next webhook: it pays, or goes back', async () => {
  const [order, late] = [await buy(), await buy()];
  const names = [await openPage(order), await openPage(late)];
  for (const name of names) demo.payments.pay(name);
  await set({ expires_at: 1, ask_at: 1 });
  await over(late);
  await openNode(store.database, []).sweep();
  expect(await stateOf(late)).toEqual(['cancelled', 'expired']);

  for (const name of names) expect(await webhook(name)).toBe(true);

  expect(await stateOf(order)).toEqual(['new', 'paid']);
  expect(ledger()).toEqual([
    ['paid', 0],
    ['paid', 1299],
  ]);
  // Its refunds are asked for as those of any payment.
  demo.payments.refund(names[0] ?? '');
  await openNode().sweep();
  expect(await stateOf(order)).toEqual(['new', 'refunded']);
});

describe('money that the shop may not keep', () => {
  test('goes back once: paid twice, after a withdrawal and after the order was cancelled, however often the provider fails', async () => {
    const { db } = store.database;
    const [twice, withdrawn, cancelled] = [await buy(), await buy(), await buy()];
    const first = await openPage(twice);
    // A second session of the same order, as another provider would have.
    const second = `${first}2`;
    demo.payments.sessions.set(second, { ...demo.payments.find(first), id: second });
    const charge = { id: second, reference: twice.number, way: 'stripe', ask_at: 1 };
    await db.insertInto('charges').values(newCharge(charge)).execute();
    const [third, fourth] = [await openPage(withdrawn), await openPage(cancelled)];
    await readJson(await withdraw(withdrawn));
    const past = { state: 'expired', version: 9 } as const;
    await db.updateTable('payments').set(past).where('reference', '=', cancelled.number).execute();
    await db.updateTable('orders').set({ cancelled_at: 1 }).where('id', '=', cancelled._id).execute();
    // The first answers are lost after the work was done, and then the provider is down.
    const faults = ['lost', 'down', 'lost'] as const;
    let calls = 0;
    fault = (call) => (call === 'POST /v1/refunds' ? faults[calls++] : undefined);

    for (const name of [first, second, third, fourth]) {
      demo.payments.pay(name);
      await Promise.all([webhook(name), webhook(name)]);
    }
    const nodes = [openNode(), openNode(await store.openDatabaseAgain())];
    await set({ ask_at: 1 });
    await Promise.all(nodes.map((node) => node.sweep()));

    const refunded = ledger()
      .toSorted()
      .map(([, cents]) => cents);
    expect(refunded).toEqual([0, 1299, 1299, 1299]);
    expect([await stateOf(twice), await stateOf(withdrawn), await stateOf(cancelled)]).toEqual([
      ...[
        ['new', 'paid'],
        ['withdrawn', 'expired'],
      ],
      ['cancelled', 'expired'],
    ]);
    expect([await surplus(), (await onDesk(twice)).payment]).toEqual([
      0,
      expect.objectContaining({ way: 'stripe', paid: 25.98, refunded: 12.99 }),
    ]);
  });
});

describe('a refund', () => {
  test('of a withdrawn order is made by the provider once, though its answer is lost, or the process ends before', async () => {
    const [order, other] = [await buy(), await buy()];
    for (const one of [order, other]) await pay(await openPage(one));
    expect(await codeOf(await refund(order))).toBe('NOT_WITHDRAWN');
    for (const one of [order, other]) await withdraw(one);
    const down: (typeof fault)[] = [() => 'down', (call) => (call.startsWith('POST') ? 'lost' : undefined)];

    for (const happens of down) {
      fault = happens;
      await refund(order);
    }
    fault = () => 'down';
    expect(await codeOf(await refund(other))).toBe('UNAVAILABLE');
    expect(ledger()).toEqual([
      ['paid', 1299],
      ['paid', 0],
    ]);
    // The first of two clicks decides the refund, and the sweep keeps its own time.
    await set({ ask_at: 1 });
    expect(await codeOf(await refund(other))).toBe('UNAVAILABLE');
    expect(await store.database.db.selectFrom('charges').select('ask_at').distinct().execute()).toEqual([
      { ask_at: 1 },
    ]);
    const { entries } = await listActivity(store.database.db, { limit: 9, action: 'order-settled' });
    const details = { isRefunded: true, isAsked: true };
    expect(entries.map((entry) => [entry.subject, entry.details])).toEqual([
      [other._id, details],
      [order._id, details],
    ]);
    fault = () => undefined;
    expect(await readJson<DeskOrder>(await refund(order))).toMatchObject({
      ...{ state: 'withdrawn', refundedAt: expect.any(String) },
      payment: { state: 'refunded', refunded: 12.99 },
    });
    // What was decided is done by any node.
    await set({ ask_at: 1 });
    await openNode().sweep();

    expect(ledger()).toEqual([
      ['paid', 1299],
      ['paid', 1299],
    ]);
    expect(await stateOf(other)).toEqual(['withdrawn', 'refunded']);
    const undo = { cookie: owner, json: { isRefunded: false } };
    expect(await codeOf(await store.call(deskPaths.orderSettle(order._id), undo))).toBe('REFUNDED');
  });

  test('in the provider’s dashboard counts, and so does a lost dispute, also if no webhook tells', async () => {
    const [half, whole, disputed] = [await buy(), await buy(), await buy()];
    const names = [];
    for (const order of [half, whole, disputed]) names.push(await pay(await openPage(order)));
    demo.payments.refund(names[0] ?? '', 500);
    demo.payments.dispute(names[2] ?? '');
    for (const event of events) await demo.payments.send(event);
    demo.payments.refund(names[1] ?? '');

    expect([await stateOf(half), await stateOf(disputed)]).toEqual([
      ['new', 'paid'],
      ['new', 'refunded'],
    ]);
    expect((await onDesk(half)).payment).toMatchObject({ paid: 12.99, refunded: 5 });
    await openNode().sweep();
    expect(await stateOf(whole)).toEqual(['new', 'paid']);
    await set({ ask_at: 1 });
    await openNode().sweep();

    const asks = await store.database.db.selectFrom('charges').select('ask_at').execute();
    expect(asks.every(({ ask_at }) => Math.abs((ask_at ?? 0) - Date.now() - dayMs) < 60_000)).toBe(true);
    expect(await onDesk(whole)).toMatchObject({
      refundedAt: expect.any(String),
      payment: { state: 'refunded' },
    });
    const mark = { cookie: owner, json: { ids: [whole._id], isSent: true } };
    expect(await codeOf(await store.call(deskPaths.ordersSent, mark))).toBe('NOT_PAID');
  });
});
