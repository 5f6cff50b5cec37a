import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { openPaymentProvider } from './payment-pages.ts';

const secretKey = 'sk_test_shop';
const webhookSecret = 'whsec_shop';
const storeOrigin = 'http://localhost:9';
const nowS = () => Math.floor(Date.now() / 1000);

let stripe: Stripe;
let provider: ReturnType<typeof openPaymentProvider>;
let origin: string;
/** The received webhooks. The official package has checked their signatures. */
let events: Stripe.Event[];

async function listen(handle: Parameters<typeof createServer>[1], port = 0): Promise<number> {
  const server = createServer(handle).listen(port, '127.0.0.1');
  await once(server, 'listening');
  endsWithTest(() => server.close().closeAllConnections());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

beforeEach(async () => {
  events = [];
  const storePort = await findFreePort();
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  const webhookUrl = `http://127.0.0.1:${storePort}/payments/stripe`;
  const keys = { secretKey, webhookSecret, webhookUrl };
  provider = openPaymentProvider({ ...keys, origin, storeOrigin, storeName: 'Reed & Sons' });
  stripe = new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 });
  const serve = (handle: Parameters<typeof listen>[0], at: number) => listen(handle, at);
  await serve((request, response) => void provider.handle(request, response), port);
  await serve(async (request, response) => {
    const signature = request.headers['stripe-signature'] ?? '';
    events.push(stripe.webhooks.constructEvent(await text(request), signature, webhookSecret));
    response.end();
  }, storePort);
});

/** Calls with the same key have the same end. */
const expiresAt = nowS() + 31 * 60;

const openSession = (changes: Stripe.Checkout.SessionCreateParams = {}, idempotencyKey = 'the key') =>
  stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: 'ACDEFGHJ',
      line_items: [
        {
          price_data: { currency: 'eur', unit_amount: 1590, product_data: { name: 'Emma' } },
          quantity: 1,
        },
      ],
      expires_at: expiresAt,
      success_url: `${storeOrigin}/orders/1?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${storeOrigin}/orders/1`,
      ...changes,
    },
    { idempotencyKey },
  );
const press = (address: string, value: string, headers: Record<string, string> = {}) =>
  fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ press: value }),
    headers,
    redirect: 'manual',
  });
const types = () => events.map(({ type }) => type);
const find = (id: string) =>
  stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });

describe('the official client', () => {
  test('opens a session once for a key, and finds it paid, refunded in part and disputed', async () => {
    const session = await openSession();
    expect(await openSession()).toMatchObject({ id: session.id, url: session.url });
    await expect(openSession({ client_reference_id: 'other' })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
    expect(session).toMatchObject({ amount_total: 1590, status: 'open', payment_intent: null });

    const paid = await press(session.url ?? '', 'before');
    expect(paid.headers.get('location')).toBe(`${storeOrigin}/orders/1?session=${session.id}`);
    const found = await find(session.id);
    const intent = found.payment_intent;
    if (!intent || typeof intent === 'string') throw new Error('the intent is not expanded');
    expect(found).toMatchObject({ status: 'complete', payment_status: 'paid' });
    expect(intent).toMatchObject({ amount_received: 1590, latest_charge: { amount_refunded: 0 } });

    const half = { payment_intent: intent.id, amount: 590 };
    await stripe.refunds.create(half, { idempotencyKey: 'refund' });
    await stripe.refunds.create(half, { idempotencyKey: 'refund' });
    expect(await find(session.id)).toMatchObject({
      payment_intent: { latest_charge: { amount_refunded: 590, disputed: false } },
    });
    await expect(stripe.refunds.create({ ...half, amount: 1001 })).rejects.toThrow('at most 1000');

    await press(`${origin}/payments/${session.id}`, 'dispute');
    expect((await stripe.disputes.list({ payment_intent: intent.id })).data).toMatchObject([
      { status: 'lost', amount: 1000 },
    ]);
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    await expect
      .poll(types)
      .toEqual([...['checkout.session.completed', 'charge.refunded', 'charge.dispute.closed']]);
  });

  test('is refused with another key, for a lifetime of less than half an hour, and for what is not there', async () => {
    const stranger = new Stripe('sk_test_other', {
      host: '127.0.0.1',
      port: new URL(origin).port,
      protocol: 'http',
    });

    await expect(stranger.checkout.sessions.retrieve('cs_test_1')).rejects.toMatchObject({ statusCode: 401 });
    await expect(find('cs_test_1')).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
    await expect(openSession({ expires_at: nowS() + 29 * 60 })).rejects.toMatchObject({ statusCode: 400 });
  });
});

describe('the page', () => {
  test('shows what is paid to whom, declines a card, and is over when it was paid', async () => {
    const { url } = await openSession();
    const address = url ?? '';
    const page = await (await fetch(address)).text();
    expect(page).toContain('<h1>Pay €15.90 to Reed &amp; Sons</h1>');
    expect(page).toContain('Order ACDEFGHJ');

    const declined = await press(address, 'declined');
    expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('was declined')]);
    expect((await press(address, 'never')).status).toBe(303);
    expect((await press(address, 'once')).status).toBe(410);
    expect(events).toEqual([]);
  });

  test('sends the webhook twice where that was pressed', async () => {
    const { url } = await openSession();
    await press(url ?? '', 'twice');

    await expect.poll(types).toEqual(['checkout.session.completed', 'checkout.session.completed']);
  });
});

test('the dashboard lists payments and refunds one, but not for another site', async () => {
  const { id, url } = await openSession();
  await press(url ?? '', 'never');
  const address = `${origin}/payments/${id}`;

  await press(address, 'all', { 'sec-fetch-site': 'cross-site' });
  expect(await (await fetch(`${origin}/payments`)).text()).toContain('ACDEFGHJ, €15.90, paid</p>');
  await press(address, 'half');
  await press(address, 'all');
  expect(await (await fetch(`${origin}/payments`)).text()).toContain('€15.90, paid, €15.90 refunded');
});
