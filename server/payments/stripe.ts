/** Stripe Checkout, on Stripe's page: https://docs.stripe.com/api/checkout/sessions. */

import type Stripe from 'stripe';
import { moneyIn } from '../../contract/price.ts';
import type { Payment } from './payments.ts';
import { type Provider, providerTimeoutMs, UnknownSession } from './providers.ts';

/** `apiUrl`: where the demo's provider is, by http. */
export type StripeKeys = { secretKey: string; webhookSecret: string; apiUrl?: URL | undefined };

/** The currencies whose amounts Stripe divides otherwise than the store: https://docs.stripe.com/currencies#special-cases. */
const centsOfUnit: Readonly<Record<string, number>> = { ISK: 1, UGX: 1, MGA: 100 };

/** The states of an intent that brings no money any more. */
const hasFailed: readonly string[] = ['', 'canceled', 'requires_payment_method'];

/** @returns how many of the store's hundredths a unit of Stripe's amounts is. */
const unitOf = ({ currency }: Payment): number => centsOfUnit[currency] ?? moneyIn(currency).stepCents;

export function openStripe({ secretKey, webhookSecret, apiUrl }: StripeKeys): Provider {
  const address = apiUrl && { host: apiUrl.hostname, port: apiUrl.port, protocol: 'http' as const };
  // A call that fails is repeated by the sweep, or by the buyer.
  const options = { timeout: providerTimeoutMs, maxNetworkRetries: 0, telemetry: false, ...address };
  let loaded: Promise<Stripe> | undefined;
  const client = () =>
    (loaded ??= import('stripe').then(({ default: Client }) => new Client(secretKey, options)));

  /** Money in a dispute has left the account; it counts as refunded once the dispute is lost. */
  async function lostCents(intent: string): Promise<number> {
    const { data } = await (await client()).disputes.list({ payment_intent: intent });
    return data.filter(({ status }) => status === 'lost').reduce((sum, { amount }) => sum + amount, 0);
  }

  return {
    name: 'stripe',
    async open(payment, { urls, key, expiresAt }) {
      const { reference, currency, cents } = payment;
      const product_data = { name: `Order ${reference}` };
      const price = { currency: currency.toLowerCase(), unit_amount: cents / unitOf(payment) };
      const { id, url } = await (await client()).checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [{ quantity: 1, price_data: { ...price, product_data } }],
          client_reference_id: reference,
          payment_intent_data: { metadata: { reference } },
          expires_at: Math.floor(expiresAt / 1000),
          ...{ success_url: urls.done, cancel_url: urls.back },
        },
        { idempotencyKey: key },
      );
      return { id, url, expiresAt };
    },
    async ask(id, payment) {
      const expand = ['payment_intent.latest_charge'];
      const { sessions } = (await client()).checkout;
      const session = await sessions.retrieve(id, { expand }).catch((cause: Error & { code?: string }) => {
        throw cause.code === 'resource_missing' ? new UnknownSession(cause.message, { cause }) : cause;
      });
      const { status, payment_status, url, payment_intent: intent } = session;
      // Stripe sends what it was asked to expand; a session that nobody has paid has no intent.
      if (typeof intent === 'string') throw new Error('Stripe has not expanded the intent');
      const isPaid = payment_status === 'paid' && intent !== null;
      // Some ways to pay take days after the session is complete, such as a voucher that is paid in a shop.
      const isUnderWay = status === 'complete' && !isPaid && !hasFailed.includes(intent?.status ?? '');
      const charge = intent?.latest_charge;
      const sent = charge && typeof charge !== 'string' ? charge : undefined;
      const lost = isPaid && sent?.disputed ? await lostCents(intent.id) : 0;
      const unit = unitOf(payment);
      return {
        id: session.id,
        currency: String(session.currency).toUpperCase(),
        cents: isPaid ? intent.amount_received * unit : 0,
        refundedCents: isPaid ? ((sent?.amount_refunded ?? 0) + lost) * unit : 0,
        intent: intent?.id ?? null,
        isOpen: status === 'open' || isUnderWay,
        url: url ?? null,
      };
    },
    async refund({ intent }, cents, payment, key) {
      if (intent === null) throw new Error('a session without an intent brought no money');
      const refund = { payment_intent: intent, amount: cents / unitOf(payment) };
      await (await client()).refunds.create(refund, { idempotencyKey: key });
    },
    async idOf(rawBody, headers) {
      const { webhooks } = await client();
      const signature = String(headers['stripe-signature'] ?? '');
      // The types of events are many: all that concern a session name it, or its intent.
      const { data } = await webhooks.constructEventAsync(rawBody, signature, webhookSecret);
      const about: { object?: unknown; id?: unknown; payment_intent?: unknown } = data.object;
      const id = about.object === 'checkout.session' ? about.id : about.payment_intent;
      return typeof id === 'string' ? id : undefined;
    },
  };
}
