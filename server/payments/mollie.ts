/**
 * Mollie's hosted page: https://docs.mollie.com/reference/create-payment. Its client would bring an HTTP client of its own for these three
 * calls.
 */

import { moneyIn } from '../../contract/price.ts';
import type { Payment } from './payments.ts';
import { type Provider, providerTimeoutMs, UnknownSession } from './providers.ts';

export type MollieKeys = { apiKey: string; apiUrl?: URL | undefined };

type Amount = { value: string; currency: string };
/** The members of a payment that the store reads. */
type MolliePayment = {
  id: string;
  status: string;
  amount: Amount;
  amountRefunded?: Amount;
  /** The sum that can still be refunded: missing until it is paid, and without what is on its way back. */
  amountRemaining?: Amount;
  amountChargedBack?: Amount;
  _links: { checkout?: { href: string } };
};

const centsOf = (amount: Amount | undefined): number => Math.round(Number(amount?.value ?? 0) * 100);
const amountOf = (cents: number, { currency }: Payment): Amount => ({
  currency,
  value: moneyIn(currency).write(cents / 100),
});

export function openMollie({ apiKey, apiUrl = new URL('https://api.mollie.com') }: MollieKeys): Provider {
  async function call(path: string, body?: object, key?: string): Promise<MolliePayment> {
    const response = await fetch(new URL(`/v2/payments${path}`, apiUrl), {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(providerTimeoutMs),
    });
    if (response.status === 404) throw new UnknownSession('Mollie has no such payment');
    if (!response.ok) throw new Error(`Mollie answers ${response.status}`);
    // The fields that the store uses are checked: isTrue, isPage.
    return (await response.json()) as MolliePayment;
  }

  return {
    name: 'mollie',
    /** Mollie decides when its sessions expire, by the buyer's way to pay. */
    async open(payment, { urls, key }) {
      const { reference, cents } = payment;
      const texts = { description: `Order ${reference}`, metadata: { reference } };
      const addresses = { redirectUrl: urls.done, cancelUrl: urls.back, webhookUrl: urls.webhook };
      const body = { amount: amountOf(cents, payment), ...texts, ...addresses };
      const { id, _links } = await call('', body, key);
      return { id, url: _links.checkout?.href ?? null, expiresAt: null };
    },
    async ask(id) {
      const { status, amount, amountRefunded, amountRemaining, ...payment } = await call(`/${id}`);
      const cents = status === 'paid' ? centsOf(amount) : 0;
      const wentBack = centsOf(amountRefunded) + centsOf(payment.amountChargedBack);
      const isGoing = amountRemaining ? cents - centsOf(amountRemaining) : 0;
      return {
        id: payment.id,
        currency: amount.currency,
        cents,
        refundedCents: cents === 0 ? 0 : Math.min(cents, Math.max(wentBack, isGoing)),
        intent: null,
        isOpen: ['open', 'pending', 'authorized'].includes(status),
        url: payment._links.checkout?.href ?? null,
      };
    },
    async refund({ id }, cents, payment, key) {
      const description = `Order ${payment.reference}`;
      await call(`/${id}/refunds`, { amount: amountOf(cents, payment), description }, key);
    },
    /** Mollie signs nothing: the id is asked for, if a row has it. */
    async idOf(rawBody) {
      return new URLSearchParams(rawBody).get('id') ?? undefined;
    },
  };
}
