import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
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
import { certificate as cert, key } from '../testing/certificate.ts';
import { endsWithTest, forThisTest } from '../testing/ends-with-test.ts';
import {
  emma,
  nextPage,
  openTestStore,
  orderOf,
  reader,
  readJson,
  setUpTestStore,
} from '../testing/test-store.ts';
import { openReceiver, type TestReceiver } from '../testing/webhook-receiver.ts';
import { type EndpointSettings, openEndpoint } from './endpoint.ts';
import { listEvents, sweepEvents } from './events.ts';
import { noWebhooks, openWebhookSender, type WebhookSender, type WebhookTimes } from './sender.ts';

/** Those of the example of Standard Webhooks, which its libraries test themselves by. */
const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const admin = { sub: 'admin', email: 'admin@example.com' };
const times: Partial<WebhookTimes> = {
  pollMs: 20,
  roundMs: 1,
  firstRetryMs: 20,
  maxRetryMs: 100,
  maxPauseMs: 100,
};
const day = 24 * 60 * 60 * 1000;

/** Set by a test, for the orders of the store. */
let webhooks = noWebhooks;
let lines: string[];
let cookie: string;
const store = setUpTestStore({
  settings: { adminEmails: [admin.email] },
  webhooks: {
    wake: () => webhooks.wake(),
    get isOn() {
      return webhooks.isOn;
    },
    get counts() {
      return webhooks.counts;
    },
  },
});
beforeEach(async () => {
  webhooks = noWebhooks;
  lines = [];
  cookie = await store.signIn(admin);
  await addBook(store.database.db, emma, null);
});

type SenderOptions = Partial<WebhookTimes> & { timeoutMs?: number };
function tell(url: URL, { timeoutMs = 15_000, ...options }: SenderOptions = {}): WebhookSender {
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
/** Records events, and sends none. */
const record = () => {
  webhooks = { ...noWebhooks, isOn: true };
};

async function order(json: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const call = { cookie: await store.signIn(), headers, json: { ...orderOf(emma), ...json } };
  return (await readJson<Order>(await store.call(paths.addOrder, call), 201))._id;
}
const mark = async (id: string, isSent = true) =>
  readJson(await store.call(deskPaths.ordersSent, { cookie, json: { ids: [id], isSent } }));
const list = async (query = '') =>
  await readJson<DeskWebhooks>(await store.call(`${deskPaths.webhooks}${query}`, { cookie }));
const sendAgain = async (id: string) =>
  await readJson<DeskWebhook>(await store.call(deskPaths.webhookRetry(id), { cookie, method: 'POST' }));
const eventOf = async () => (await list()).events[0];
const typesOf = ({ received }: TestReceiver) => received.map(({ message }) => message.type);
/** Lets the store forget that a receiver is left alone, or a claim held. */
const makeDue = () =>
  store.database.db
    .updateTable('webhook_events')
    .set({ due_at: 0 })
    .where('due_at', 'is not', null)
    .execute();

test('a message is signed as in the example of Standard Webhooks, by each secret', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_614_265_330_000 });
  endsWithTest(() => vi.useRealTimers());
  const receiver = await forThisTest(openReceiver());
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

test('an order is told when it is placed, sent and withdrawn, with where it goes and to whom', async () => {
  const receiver = await forThisTest(openReceiver());
  tell(receiver.url);

  const id = await order({ deliveryAddress: '1 Hartfield Lane\nHighbury' });
  await expect.poll(() => typesOf(receiver)).toEqual(['order.placed']);
  await mark(id);
  await expect.poll(() => typesOf(receiver)).toEqual(['order.placed', 'order.sent']);
  const call = { cookie: await store.signIn(), json: { reason: 'Too late.' } };
  await readJson(await store.call(withdrawalPaths.order(id), call));
  await expect.poll(() => typesOf(receiver)[2]).toBe('order.withdrawn');

  const [placed, sent, withdrawn] = receiver.received;
  const about = {
    _id: id,
    title: 'Emma',
    author: 'Jane Austen',
    price: 12.99,
    time: new Date().toDateString(),
    placedAt: placed?.message.timestamp,
    deliveryAddress: '1 Hartfield Lane\nHighbury',
    buyer: { name: reader.name, email: reader.email },
  };
  expect(placed?.message.data).toMatchObject({ ...about, state: 'new', sentAt: null });
  expect(sent?.message.data).toMatchObject({ ...about, state: 'sent', sentAt: sent?.message.timestamp });
  expect(withdrawn?.message.data).toMatchObject({
    ...about,
    state: 'withdrawn',
    sentAt: sent?.message.timestamp,
    withdrawnAt: withdrawn?.message.timestamp,
    withdrawnBy: 'customer',
    withdrawalReason: 'Too late.',
  });
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
  for (const { headers, body, id } of receiver.received) {
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
    );
  }
  await expect
    .poll(async () => (await list()).events)
    .toMatchObject([
      { type: 'order.withdrawn', state: 'delivered' },
      { type: 'order.sent', title: 'Emma', orderId: id, state: 'delivered', attempts: 1, error: null },
      { type: 'order.placed', title: 'Emma', orderId: id, state: 'delivered', nextAttemptAt: null },
    ]);
});

test('an event has the fields that its documentation has: the owner’s note is not among them', async () => {
  const documented = await readFile(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(documented) ?? [];
  const fieldsOf = (message: object): unknown[] =>
    Object.entries(message).map(([name, value]) =>
      value && typeof value === 'object' ? [name, fieldsOf(value).sort()] : name,
    );
  const receiver = await forThisTest(openReceiver());
  record();
  const id = await order({ deliveryAddress: '1 Hartfield Lane' });
  const note = { note: 'She wants it wrapped.' };
  await readJson(await store.call(deskPaths.orderNote(id), { cookie, json: note }));
  await mark(id);
  await readJson(await store.call(deskPaths.orderWithdraw(id), { cookie, json: {} }));
  const settled = { isRefunded: true, isReturned: true };
  await readJson(await store.call(deskPaths.orderSettle(id), { cookie, json: settled }));

  tell(receiver.url);

  await expect
    .poll(() => typesOf(receiver).sort())
    .toEqual(['order.placed', 'order.sent', 'order.withdrawn']);
  for (const { message, body } of receiver.received) {
    expect(fieldsOf(message)).toEqual(fieldsOf(JSON.parse(example.replaceAll('…', ''))));
    expect(body).not.toContain(note.note);
  }
});

test('a shop without WEBHOOK_URL records nothing', async () => {
  await mark(await order());

  expect(await list()).toEqual({ mode: 'off', events: [] });
});

test('no order is without its event, and no event without an order', async () => {
  record();
  const key = { 'idempotency-key': 'once' };
  const id = await order({}, key);
  expect(await order({}, key)).toBe(id);
  await mark(id);
  await mark(id);
  expect((await list()).events.map(({ type }) => type)).toEqual(['order.sent', 'order.placed']);
});

test.each([1, 20])(
  'the order of one of %d copies has its event, and one that got none has not',
  async (copies) => {
    record();
    await store.database.db.deleteFrom('books').execute();
    const book = await addBook(store.database.db, emma, null);
    const edit = { cookie, method: 'PATCH', headers: { 'if-match': '*' }, json: { copies } };
    await readJson(await store.call(paths.book(book.id), edit));
    const id = await order();

    if (copies === 1) {
      const late = await store.call(paths.addOrder, { cookie: await store.signIn(), json: orderOf(emma) });
      expect(late.status).toBe(409);
    }

    expect((await list()).events).toMatchObject([{ type: 'order.placed', orderId: id }]);
  },
);

test('an order that the owner withdraws before it was told is told as placed, then as withdrawn', async () => {
  const receiver = await forThisTest(openReceiver());
  record();
  const id = await order();
  await readJson(await store.call(deskPaths.orderWithdraw(id), { cookie, json: {} }));

  tell(receiver.url);

  await expect.poll(() => typesOf(receiver).toSorted()).toEqual(['order.placed', 'order.withdrawn']);
  const [placed, withdrawn] = receiver.received
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ message }) => message.data);
  expect(placed).toMatchObject({ state: 'new', withdrawnAt: null, withdrawnBy: null });
  expect(withdrawn).toMatchObject({ state: 'withdrawn', withdrawnBy: 'shop' });
});

test('an order whose event cannot be recorded is not placed', async () => {
  const shop = await openTestStore({ webhooks: { ...noWebhooks, isOn: true }, onLog: () => {} });
  const { db } = shop.database;
  await addBook(db, emma, null);
  await db.schema.dropTable('webhook_events').execute();

  const response = await shop.call(paths.addOrder, { cookie: await shop.signIn(), json: orderOf(emma) });

  expect(response.status).toBe(500);
  expect(await db.selectFrom('orders').select('id').execute()).toEqual([]);
});

test.each([
  ['with status 500', 500],
  ['with status 404', 404],
  ['too many requests', 429],
])(
  'a receiver that answers %s is told again, under the same id, until it takes the event',
  async (_, status) => {
    const receiver = await forThisTest(
      openReceiver({
        answer: (_, response) => response.writeHead(receiver.received.length < 3 ? status : 200).end(),
      }),
    );
    tell(receiver.url);

    await order();

    await expect.poll(eventOf).toMatchObject({ state: 'delivered', attempts: 3, error: null });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    await mark((await eventOf())?.orderId ?? '');
    await expect.poll(() => typesOf(receiver).slice(3)).toEqual(['order.sent']);
  },
);

test('a receiver says how long it is to be left alone, up to an hour', async () => {
  const receiver = await forThisTest(
    openReceiver({ answer: (_, response) => response.writeHead(503, { 'retry-after': '86400' }).end() }),
  );
  tell(receiver.url);
  await order();
  await expect.poll(eventOf).toMatchObject({ state: 'waiting', attempts: 1 });
  await makeDue();
  await order();

  await expect.poll(async () => (await list('?state=waiting')).events.length).toBe(2);
  expect(receiver.received).toHaveLength(1);
});

test.each(['86400', '1e308', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'a receiver that asks for a pause of more than an hour is asked again after an hour: Retry-After %s',
  async (retryAfter) => {
    const receiver = await forThisTest(
      openReceiver({ answer: (_, response) => response.writeHead(503, { 'retry-after': retryAfter }).end() }),
    );
    const endpoint = openEndpoint({ url: receiver.url, secrets: [secret], isPrivateAllowed: true });

    const error = await endpoint.send({ id: 'msg_1', body: '{}' }).catch((error: unknown) => error);

    const inAnHour = Date.now() + 60 * 60 * 1000;
    expect((error as DeliveryError).notBefore).toBeGreaterThan(inAnHour - 30_000);
    expect((error as DeliveryError).notBefore).toBeLessThanOrEqual(inAnHour);
  },
);

test('a stop breaks off a receiver that hangs, and the next start tells it', async () => {
  const receiver = await forThisTest(openReceiver({ answer() {} }));
  const sender = tell(receiver.url, { timeoutMs: 5_000, closeMs: 50 });
  await order();
  await expect.poll(() => receiver.received.length).toBe(1);

  await sender.close();

  expect(await eventOf()).toMatchObject({ state: 'waiting', error: 'No connection (ABORT_ERR).' });
});

test('an order waits for no receiver that hangs, whose event is delivered once it is back', async () => {
  let isHanging = true;
  const receiver = await forThisTest(
    openReceiver({ answer: (_, response) => void (isHanging || response.writeHead(200).end()) }),
  );
  tell(receiver.url, { timeoutMs: 200 });

  await order();

  await expect.poll(async () => (await eventOf())?.error).toBe('No answer within 0.2 seconds.');
  isHanging = false;
  await expect.poll(eventOf).toMatchObject({ state: 'delivered' });
  const heard = lines.filter((line) => line.includes('the receiver of webhooks takes'));
  expect(heard.map((line) => JSON.parse(line).msg)).toEqual([
    'the receiver of webhooks takes no messages',
    'the receiver of webhooks takes messages again',
  ]);
});

test('a response is not read, however long it is', async () => {
  let isClosed = false;
  const receiver = await forThisTest(
    openReceiver({
      answer(_, response) {
        response.writeHead(200).write('x'.repeat(10_000));
        response.on('close', () => {
          isClosed = true;
        });
      },
    }),
  );
  tell(receiver.url, { timeoutMs: 60_000 });

  await order();

  await expect.poll(eventOf).toMatchObject({ state: 'delivered' });
  await expect.poll(() => isClosed).toBe(true);
});

test('a redirect is not followed', async () => {
  const elsewhere = await forThisTest(openReceiver());
  const receiver = await forThisTest(
    openReceiver({
      answer: (_, response) => response.writeHead(307, { location: elsewhere.url.href }).end(),
    }),
  );
  tell(receiver.url);

  await order();

  await expect.poll(async () => (await eventOf())?.error).toBe('The receiver answers with status 307.');
  expect(elsewhere.received).toEqual([]);
});

describe('a receiver that wants no more events (410)', () => {
  test('gets none for a while, and events are given up until then', async () => {
    let status = 410;
    const receiver = await forThisTest(
      openReceiver({ answer: (_, response) => response.writeHead(status).end() }),
    );
    const first = tell(receiver.url);
    await order();
    await expect.poll(eventOf).toMatchObject({ state: 'given-up', attempts: 1 });
    status = 200;
    const id = await order();
    await expect.poll(eventOf).toMatchObject({ orderId: id, state: 'given-up', attempts: 0 });
    expect(receiver.received).toHaveLength(1);
    expect(first.counts).toEqual({ delivered: 0, failed: 1, givenUp: 2 });

    // As after an hour.
    await first.close();
    tell(receiver.url);
    const { events } = await list('?state=given-up');
    // Perhaps delivered by then.
    for (const { _id } of events) expect((await sendAgain(_id)).state).not.toBe('given-up');

    await expect.poll(async () => (await list('?state=delivered')).events).toHaveLength(2);
    const [delivered] = (await list()).events;
    expect(await sendAgain(delivered?._id ?? '')).toMatchObject({ state: 'delivered' });
    expect((await store.call(deskPaths.webhookRetry('none'), { cookie, method: 'POST' })).status).toBe(404);
  });
});

test('an event is given up after three days, and sent again on request', async () => {
  let isRefusing = true;
  const receiver = await forThisTest(
    openReceiver({ answer: (_, response) => response.writeHead(isRefusing ? 500 : 200).end() }),
  );
  record();
  await order();
  await store.database.db
    .updateTable('webhook_events')
    .set({ created_at: Date.now() - 3 * day })
    .execute();
  const node = tell(receiver.url);
  await expect
    .poll(eventOf)
    .toMatchObject({ state: 'given-up', error: 'The receiver answers with status 500.' });
  expect(node.counts).toEqual({ delivered: 0, failed: 1, givenUp: 1 });

  isRefusing = false;
  const { _id } = (await eventOf()) as DeskWebhook;
  await sendAgain(_id);

  await expect.poll(eventOf).toMatchObject({ state: 'delivered', attempts: 2 });
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([_id]));
});

test('an event that the receiver cannot take does not hold up the others', async () => {
  let poisoned = '';
  const receiver = await forThisTest(
    openReceiver({
      answer: ({ message }, response) =>
        response.writeHead(message.data['_id'] === poisoned ? 500 : 200).end(),
    }),
  );
  record();
  poisoned = await order();
  tell(receiver.url, { maxRetryMs: 20 });
  await expect.poll(async () => (await eventOf())?.attempts).toBeGreaterThan(0);

  for (let count = 0; count < 5; count += 1) await order();

  await expect.poll(async () => (await list('?state=delivered')).events).toHaveLength(5);
  const [{ attempts } = { attempts: 0 }, ...others] = (await list('?state=waiting')).events;
  expect(others).toEqual([]);
  await expect
    .poll(async () => (await list('?state=waiting')).events[0]?.attempts)
    .toBeGreaterThan(attempts + 3);
  // Nothing waits for it any more.
  expect(lines.filter((line) => line.includes('takes no messages'))).toHaveLength(1);
});

test('several nodes send each event once, and what a node that died has claimed is sent by another', async () => {
  const receiver = await forThisTest(openReceiver());
  record();
  for (let count = 0; count < 30; count += 1) await order();
  const hanging = await forThisTest(openReceiver({ answer() {} }));
  const dying = tell(hanging.url, { closeMs: 60_000 });
  await expect.poll(() => hanging.received.length).toBe(5);

  const nodes = [0, 1, 2].map(() => tell(receiver.url));
  await expect.poll(async () => (await list('?state=delivered')).events).toHaveLength(10);
  await makeDue();

  await expect.poll(() => receiver.received.length).toBe(30);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(30);
  await expect.poll(() => nodes.reduce((sum, { counts }) => sum + counts.delivered, 0)).toBe(30);
  await hanging.close();
  await dying.close();
  expect((await list('?state=delivered')).events).toHaveLength(30);
});

describe('an erased customer', () => {
  test('is in no event that was not delivered, nor in one that comes later', async () => {
    const receiver = await forThisTest(openReceiver());
    let status = 500;
    const refusing = await forThisTest(
      openReceiver({ answer: (_, response) => response.writeHead(status).end() }),
    );
    const node = tell(refusing.url);
    const id = await order({ deliveryAddress: '1 Hartfield Lane' });
    await expect.poll(async () => (await eventOf())?.attempts).toBeGreaterThan(0);
    status = 410;
    await order();
    await expect.poll(async () => (await list('?state=given-up')).events.length).toBeGreaterThan(0);
    await node.close();
    const { db } = store.database;
    const { id: customerId } = await db
      .selectFrom('customers')
      .select('id')
      .where('email', '=', reader.email)
      .executeTakeFirstOrThrow();

    await eraseCustomer(db, customerId, commandActor);

    expect((await list()).events).toEqual([]);
    tell(receiver.url);
    await mark(id);
    await expect.poll(() => typesOf(receiver)).toEqual(['order.sent']);
    expect(receiver.received[0]?.message.data).toMatchObject({
      _id: id,
      deliveryAddress: null,
      buyer: { name: '', email: '' },
    });
  });
});

test('what is told late is told as it is by then: a corrected address, and no mark that was taken back', async () => {
  const receiver = await forThisTest(openReceiver());
  record();
  const id = await order({ deliveryAddress: '1 Hartfield Lane' });
  const corrected = { cookie: await store.signIn(), method: 'PATCH', json: { deliveryAddress: '2 Donwell' } };
  await readJson(await store.call(paths.order(id), corrected));
  await mark(id);
  await mark(id, false);

  tell(receiver.url);

  await expect.poll(eventOf).toMatchObject({ type: 'order.placed', state: 'delivered' });
  expect(receiver.received.map(({ message }) => message)).toMatchObject([
    { type: 'order.placed', data: { deliveryAddress: '2 Donwell', state: 'new' } },
  ]);
});

describe('the address of the receiver', () => {
  const send = (settings: Partial<EndpointSettings>, parts: Parameters<typeof openEndpoint>[1] = {}) => {
    const given = { url: new URL('https://hooks.example/'), secrets: [secret], isPrivateAllowed: false };
    return openEndpoint({ ...given, ...settings }, parts).send({ id: 'm', body: '{}' });
  };
  const refused = { concerns: 'server', code: 'NOT_ALLOWED' };

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
    '0.0.0.0',
  ])('is not %s without WEBHOOK_PRIVATE', async (host) => {
    await expect(send({ url: new URL(`https://${host}/`) })).rejects.toMatchObject(refused);
  });

  test('leads to no private address by its name', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '192.168.0.1', family: 4 },
    ];

    await expect(send({}, { resolve })).rejects.toMatchObject(refused);
  });

  test('leads nowhere in clear but into a private network', async () => {
    const url = new URL('http://hooks.example/');
    const resolve = async () => [{ address: '93.184.216.34', family: 4 }];

    await expect(send({ url, isPrivateAllowed: true }, { resolve })).rejects.toMatchObject(refused);
  });

  test('has a certificate that the system trusts', async () => {
    const server = createServer({ key, cert }, (_, response) => response.end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    endsWithTest(() => server.close());
    const url = new URL(`https://covers.test:${(server.address() as AddressInfo).port}/`);
    const parts = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] };

    await expect(send({ url, isPrivateAllowed: true }, parts)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    await send({ url, isPrivateAllowed: true }, { ...parts, ca: cert });
  });
});

test('the log has neither the secret nor the address of the receiver nor the customer', async () => {
  const receiver = await openReceiver();
  await receiver.close();
  tell(receiver.url, { giveUpAfterMs: 0 });

  await order();

  await expect.poll(eventOf).toMatchObject({ state: 'given-up', error: 'No connection (ECONNREFUSED).' });
  expect(lines).not.toEqual([]);
  const told = [secret.toString('base64'), 'key=1', receiver.url.port, reader.email];
  expect(told.filter((text) => lines.join().includes(text))).toEqual([]);
});

test('the list goes on page by page, by state', async () => {
  record();
  for (let count = 0; count < 3; count += 1) await order();
  const [newest, , oldest] = (await list()).events.map(({ _id }) => _id);
  const first = await store.call(`${deskPaths.webhooks}?state=waiting&limit=2`, { cookie });
  expect((await readJson<DeskWebhooks>(first)).events[0]?._id).toBe(newest);

  const { events } = await readJson<DeskWebhooks>(await store.call(nextPage(first), { cookie }));

  expect(events).toMatchObject([{ _id: oldest, state: 'waiting' }]);
  expect((await list('?state=given-up')).events).toEqual([]);
});

test('metrics count what waits and what became of the rest', async () => {
  const metrics = async () => await (await store.call(paths.metrics)).text();
  const receiver = await forThisTest(openReceiver());
  record();
  await order();
  expect(await metrics()).toContain('\nwebhooks_waiting 1\n');
  tell(receiver.url);
  await expect.poll(eventOf).toMatchObject({ state: 'delivered' });

  expect(await metrics()).toContain('webhooks_total{outcome="delivered"} 1\n');
  expect(await metrics()).toContain('\nwebhooks_waiting 0\n');
});

test('an event that was delivered or given up is kept for thirty days', async () => {
  record();
  await order();
  const { db } = store.database;
  const event = await db.selectFrom('webhook_events').selectAll().executeTakeFirstOrThrow();
  await db.deleteFrom('webhook_events').execute();
  const add = (ageMs: number, changes: object) =>
    db
      .insertInto('webhook_events')
      .values({ ...event, ...changes, id: idAt(Date.now() - ageMs) })
      .execute();
  const delivered = { due_at: null, delivered_at: 1 };
  await add(31 * day, delivered);
  await add(31 * day, { due_at: null, error: 'refused' });
  await add(31 * day, {});
  await add(29 * day, delivered);

  await sweepEvents(db);

  const { events } = await listEvents(db, { state: 'all', limit: 10, cursor: undefined });
  expect(events.map(({ dueAt }) => dueAt === null)).toEqual([true, false]);
});
