import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { DeskWebhook, DeskWebhooks } from '../../contract/desk/webhooks.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { idAt } from '../database/ids.ts';
import { openLog } from '../http/log.ts';
import type { DeliveryError } from '../outbox/delivery-error.ts';
import { sweepOutbox } from '../outbox/due.ts';
import type { WorkerTimes } from '../outbox/worker.ts';
import { endsWithTest, forThisTest } from '../testing/ends-with-test.ts';
import { customerIdOf } from '../testing/orders.ts';
import { emma, nextPage, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { openReceiver, type TestReceiver } from '../testing/webhook-receiver.ts';
import { type EndpointSettings, openEndpoint } from './endpoint.ts';
import { noWebhooks, openWebhookSender, type Webhooks } from './sender.ts';

/** The secret in the example of Standard Webhooks, which its libraries use in their tests. */
const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const admin = { sub: 'admin', email: 'admin@example.com' };
const times: Partial<WorkerTimes> = {
  pollMs: 20,
  roundMs: 1,
  firstRetryMs: 20,
  maxRetryMs: 100,
};
const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** The webhooks of the store, which a test sets. */
let webhooks: Webhooks = noWebhooks;
let lines: string[];
let cookie: string;
const store = setUpTestStore({
  settings: { adminEmails: [admin.email] },
  webhooks: new Proxy({} as Webhooks, { get: (_, name) => Reflect.get(webhooks, name) }),
});
beforeEach(async () => {
  webhooks = noWebhooks;
  lines = [];
  cookie = await store.signIn(admin);
  await addBook(store.database.db, emma, null);
});

type SenderOptions = Partial<WorkerTimes> & { timeoutMs?: number };
function tell({ url }: { url: URL }, { timeoutMs = 15_000, ...options }: SenderOptions = {}): Webhooks {
  const settings = { url, secrets: [secret], isPrivateAllowed: true };
  const opened = openWebhookSender({
    db: store.database.db,
    endpoint: openEndpoint(settings, { timeoutMs }),
    log: openLog('info', { write: (line: string) => lines.push(line) }),
    times: { ...times, ...options },
  });
  endsWithTest(() => opened.close());
  webhooks = opened;
  return opened;
}
/** Records events, but sends none. */
const record = () => {
  webhooks = { ...noWebhooks, isOn: true };
};
const openAnswering = (answer?: Answer) => forThisTest(openReceiver(answer ? { answer } : {}));
type Answer = NonNullable<NonNullable<Parameters<typeof openReceiver>[0]>['answer']>;
/** A receiver whose status may differ each time. */
const openWithStatus = (status: () => number, headers: Record<string, string> = {}) =>
  openAnswering((_, response) => response.writeHead(status(), headers).end());

const send = async (path: string, json: object, init: object = {}) =>
  await store.call(path, { cookie, json, ...init });
async function order(json: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const call = { cookie: await store.signIn(), headers };
  return (await readJson<Order>(await send(paths.addOrder, { ...orderOf(emma), ...json }, call), 201))._id;
}
const mark = async (id: string, isSent = true) =>
  readJson(await send(deskPaths.ordersSent, { ids: [id], isSent }));
const list = async (query = '') =>
  await readJson<DeskWebhooks>(await store.call(`${deskPaths.webhooks}${query}`, { cookie }));
const sendAgain = async (id: string) =>
  await readJson<DeskWebhook>(await store.call(deskPaths.webhookRetry(id), { cookie, method: 'POST' }));
const eventOf = async () => (await list()).events[0];
const typesOf = ({ received }: TestReceiver) => received.map(({ message }) => message.type);

test('a message is signed as in the example of Standard Webhooks, by each secret', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_614_265_330_000 });
  endsWithTest(() => vi.useRealTimers());
  const receiver = await openAnswering();
  const secrets = [secret, Buffer.alloc(24)];
  const endpoint = openEndpoint({ url: receiver.url, secrets, isPrivateAllowed: true });

  await endpoint.send({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' });

  const [received] = receiver.received;
  expect(received?.body).toBe('{"test": 2432232314}');
  expect(received?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
  });
  expect(String(received?.headers['webhook-signature']).split(' ')).toEqual([
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    expect.stringMatching(/^v1,[\w+/]{43}=$/),
  ]);
});

test('an order is told when it is placed, sent and withdrawn, with the fields that the documentation has, and no note', async () => {
  const documented = await readFile(join(import.meta.dirname, '../../docs/mail-and-webhooks.md'), 'utf8');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(documented) ?? [];
  const fieldsOf = (message: object): unknown[] =>
    Object.entries(message).map(([name, value]) =>
      value && typeof value === 'object' ? [name, fieldsOf(value).sort()] : name,
    );
  const receiver = await openAnswering();
  tell(receiver);

  const way = { id: 'post', name: 'Post', price_cents: 490, asks_address: 1, pay_on_collection: 0 };
  await store.database.db
    .insertInto('ways')
    .values({ ...way, line: '', position: 0 })
    .execute();
  const bought = { deliveryAddress: '1 Hartfield Lane\nHighbury', way: 'post', gift: { text: 'For Ada' } };
  const id = await order(bought);
  await expect.poll(() => typesOf(receiver)).toEqual(['order.placed']);
  await readJson(await send(deskPaths.orderNote(id), { note: 'She wants it wrapped.' }));
  await mark(id);
  await expect.poll(() => typesOf(receiver)).toEqual(['order.placed', 'order.sent']);
  const reason = { reason: 'Too late.' };
  await readJson(await send(withdrawalPaths.order(id), reason, { cookie: await store.signIn() }));
  await expect.poll(() => typesOf(receiver)[2]).toBe('order.withdrawn');

  const [placed, sent, withdrawn] = receiver.received;
  const about = {
    ...{ _id: id, title: 'Emma', author: 'Jane Austen', price: 12.99, time: new Date().toDateString() },
    placedAt: placed?.message.timestamp,
    deliveryAddress: '1 Hartfield Lane\nHighbury',
    buyer: { name: reader.name, email: reader.email },
  };
  expect(placed?.message.data).toMatchObject({ ...about, state: 'new', sentAt: null });
  const sentAt = sent?.message.timestamp;
  expect(sent?.message.data).toMatchObject({ ...about, state: 'sent', sentAt });
  expect(withdrawn?.message.data).toMatchObject({
    ...about,
    ...{ state: 'withdrawn', sentAt, withdrawnAt: withdrawn?.message.timestamp },
    ...{ withdrawnBy: 'customer', withdrawalReason: 'Too late.' },
  });
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
  for (const { message } of receiver.received)
    expect(fieldsOf(message)).toEqual(fieldsOf(JSON.parse(example.replaceAll('…', ''))));
  const listed = { orderId: id, title: 'Emma', state: 'delivered', attempts: 1, error: null };
  await expect
    .poll(async () => (await list()).events)
    .toMatchObject(['order.withdrawn', 'order.sent', 'order.placed'].map((type) => ({ type, ...listed })));
});

test('a shop without WEBHOOK_URL records nothing', async () => {
  await mark(await order());

  expect(await list()).toEqual({ mode: 'off', events: [] });
});

test('an order whose event cannot be recorded is not placed', async () => {
  const { db } = store.database;
  record();
  const call = { cookie: await store.signIn() };
  await db.schema.alterTable('outbox').renameTo('outbox_elsewhere').execute();
  onTestFinished(() => db.schema.alterTable('outbox_elsewhere').renameTo('outbox').execute());

  expect((await send(paths.addOrder, orderOf(emma), call)).status).toBe(500);
  expect(await db.selectFrom('orders').select('id').execute()).toEqual([]);
});

test.each([500, 404, 429, 307])(
  'a receiver that answers with status %d is told again, under the same id, until it takes the event; no redirect is followed',
  async (status) => {
    const elsewhere = await openAnswering();
    const location = elsewhere.url.href;
    const receiver = await openWithStatus(() => (receiver.received.length < 3 ? status : 200), { location });
    tell(receiver);

    await order();

    await expect.poll(eventOf).toMatchObject({ state: 'delivered', attempts: 3, error: null });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(elsewhere.received).toEqual([]);
  },
);

test('an event that the receiver cannot take does not hold up the others', async () => {
  record();
  const poisoned = await order();
  const receiver = await openAnswering(({ message }, response) =>
    response.writeHead(message.data['_id'] === poisoned ? 500 : 200).end(),
  );
  tell(receiver);
  await order();

  await expect.poll(async () => (await list('?state=delivered')).events).toHaveLength(1);
  const before = receiver.received.length;
  await expect.poll(() => receiver.received.length).toBeGreaterThan(before + 3);
});

test('a receiver says how long it is to be left alone, up to an hour', async () => {
  const headers = { 'retry-after': '' };
  const receiver = await openWithStatus(() => 503, headers);
  const endpoint = openEndpoint({ url: receiver.url, secrets: [secret], isPrivateAllowed: true });
  for (const retryAfter of ['1e308', 'Fri, 31 Dec 9999 23:59:59 GMT', '86400']) {
    headers['retry-after'] = retryAfter;
    const error = await endpoint.send({ id: 'msg_1', body: '{}' }).catch((error: DeliveryError) => error);
    const waitMs = (error?.notBefore ?? 0) - Date.now();
    expect([retryAfter, Math.round(waitMs / hour)]).toEqual([retryAfter, 1]);
  }
  tell(receiver);
  await order();
  await expect.poll(eventOf).toMatchObject({ state: 'waiting', attempts: 1 });

  await order();

  await expect.poll(eventOf).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(receiver.received).toHaveLength(4);
});

test('an order waits for no receiver that hangs, a stop breaks it off, and the event is delivered once it is back', async () => {
  let isHanging = true;
  // The store does not read a response, however long it is.
  const receiver = await openAnswering((_, response) => {
    if (!isHanging) response.writeHead(200).write('x'.repeat(10_000));
  });
  const first = tell(receiver, { closeMs: 50 });
  await order();
  await expect.poll(() => receiver.received.length).toBe(1);
  await first.close();
  expect(await eventOf()).toMatchObject({ state: 'waiting', error: 'No connection (ABORT_ERR).' });
  lines = [];
  tell(receiver, { timeoutMs: 200 });

  await expect.poll(async () => (await eventOf())?.error).toBe('No answer within 0.2 seconds.');
  isHanging = false;
  await expect.poll(eventOf).toMatchObject({ state: 'delivered' });
  const heard = lines.filter((line) => line.includes('the receiver of webhooks takes'));
  expect(heard.map((line) => JSON.parse(line).msg)).toEqual([
    'the receiver of webhooks takes no messages',
    'the receiver of webhooks takes messages again',
  ]);
  const hidden = [secret.toString('base64'), 'key=1', receiver.url.port, reader.email];
  expect(hidden.filter((text) => lines.join().includes(text))).toEqual([]);
});

test('an event is given up when the receiver wants no more (410), and the next one is sent', async () => {
  const node = tell(await openWithStatus(() => (node.counts.failed === 0 ? 410 : 200)));
  await order();
  await expect.poll(eventOf).toMatchObject({ state: 'given-up', attempts: 1 });

  await order();

  await expect.poll(eventOf).toMatchObject({ state: 'delivered' });
  expect(node.counts).toEqual({ sent: 1, failed: 1, givenUp: 1 });
});

test('an event is given up after three days, and sent again on request, once', async () => {
  let status = 500;
  const receiver = await openWithStatus(() => status);
  record();
  await order();
  const created_at = Date.now() - 3 * day;
  await store.database.db.updateTable('outbox').set({ created_at }).execute();
  tell(receiver);
  const givenUp = { state: 'given-up', error: 'The receiver answers with status 500.' };
  await expect.poll(eventOf).toMatchObject(givenUp);

  status = 200;
  const { _id } = (await eventOf()) as DeskWebhook;
  await sendAgain(_id);

  await expect.poll(eventOf).toMatchObject({ state: 'delivered', attempts: 2 });
  expect(await sendAgain(_id)).toMatchObject({ state: 'delivered' });
  expect(receiver.received.map(({ id }) => id)).toEqual([_id, _id]);
});

test('an erased customer is in no event that was not delivered, nor in one that comes later', async () => {
  const node = tell(await openWithStatus(() => 410));
  const id = await order({ deliveryAddress: '1 Hartfield Lane' });
  await expect.poll(eventOf).toMatchObject({ state: 'given-up' });
  await node.close();
  record();
  await order();
  const { db } = store.database;

  await eraseCustomer(db, await customerIdOf(db), commandActor);

  expect((await list()).events).toEqual([]);
  const receiver = await openAnswering();
  tell(receiver);
  await mark(id);
  await expect.poll(() => typesOf(receiver)).toEqual(['order.sent']);
  const buyer = { name: '', email: '' };
  expect(receiver.received[0]?.message.data).toMatchObject({ _id: id, deliveryAddress: null, buyer });
});

test('what is told late is told as it is by then: a corrected address, and no mark that was taken back', async () => {
  const receiver = await openAnswering();
  record();
  const id = await order({ deliveryAddress: '1 Hartfield Lane' });
  const call = { cookie: await store.signIn(), method: 'PATCH' };
  await readJson(await send(paths.order(id), { deliveryAddress: '2 Donwell' }, call));
  await mark(id);
  await mark(id, false);
  await readJson(await send(deskPaths.orderWithdraw(id), {}));

  tell(receiver);

  await expect.poll(() => typesOf(receiver).toSorted()).toEqual(['order.placed', 'order.withdrawn']);
  const [placed, withdrawn] = receiver.received
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ message }) => message.data);
  const now = { deliveryAddress: '2 Donwell', state: 'withdrawn', withdrawnBy: 'shop' };
  expect(placed).toMatchObject(now);
  expect(withdrawn).toMatchObject(now);
});

describe('the address of the receiver', () => {
  const send = (settings: Partial<EndpointSettings>, parts: Parameters<typeof openEndpoint>[1] = {}) => {
    const given = { url: new URL('https://hooks.example/'), secrets: [secret], isPrivateAllowed: false };
    return openEndpoint({ ...given, ...settings }, parts).send({ id: 'm', body: '{}' });
  };
  const refused = { concerns: 'server', code: 'NOT_ALLOWED' };
  const resolveTo = (...addresses: string[]) => ({
    resolve: async () => addresses.map((address) => ({ address, family: 4 })),
  });

  test('is none of a private network without WEBHOOK_PRIVATE, not even by its name, and is http in a private network alone', async () => {
    const ofVersion4 = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0'];
    for (const host of [...ofVersion4, '[::1]', '[fd00::1]', '[::ffff:10.0.0.1]'])
      await expect(send({ url: new URL(`https://${host}/`) }), host).rejects.toMatchObject(refused);
    await expect(send({}, resolveTo('93.184.216.34', '192.168.0.1'))).rejects.toMatchObject(refused);
    const inClear = { url: new URL('http://hooks.example/'), isPrivateAllowed: true };
    await expect(send(inClear, resolveTo('93.184.216.34'))).rejects.toMatchObject(refused);
  });
});

test('the list goes on page by page, by state, and metrics count what waits and what became of the rest', async () => {
  const metrics = async () => await (await store.call(paths.metrics)).text();
  record();
  for (let count = 0; count < 3; count += 1) await order();
  const [newest, , oldest] = (await list()).events.map(({ _id }) => _id);
  const first = await store.call(`${deskPaths.webhooks}?state=waiting&limit=2`, { cookie });
  expect((await readJson<DeskWebhooks>(first)).events[0]?._id).toBe(newest);
  const { events } = await readJson<DeskWebhooks>(await store.call(nextPage(first), { cookie }));
  expect(events).toMatchObject([{ _id: oldest, state: 'waiting' }]);
  expect((await list('?state=given-up')).events).toEqual([]);
  expect(await metrics()).toContain('\nwebhooks_waiting 3\n');

  tell(await openAnswering());

  await expect.poll(async () => (await list('?state=delivered')).events).toHaveLength(3);
  expect(await metrics()).toContain('webhooks_total{outcome="delivered"} 3\n');
  expect(await metrics()).toContain('\nwebhooks_waiting 0\n');
});

test('an event that was delivered or given up is kept for thirty days', async () => {
  record();
  const { db } = store.database;
  const done = { due_at: null, done_at: 1 };
  const events = [
    { days: 31, changes: done },
    { days: 31, changes: { due_at: null, error: 'refused' } },
    { days: 31, changes: {} },
    { days: 29, changes: done },
  ];
  for (const { days, changes } of events) {
    await order();
    const id = idAt(Date.now() - days * day);
    await db
      .updateTable('outbox')
      .set({ ...changes, id })
      .where('id', '>', idAt(Date.now() - day))
      .execute();
  }

  await sweepOutbox(db);

  expect((await list()).events.map(({ state }) => state)).toEqual(['delivered', 'waiting']);
});
