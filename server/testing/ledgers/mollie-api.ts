/** As much of Mollie's API as the store uses, told in the words of the demo's provider (https://docs.mollie.com/reference/payments-api). */

import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { openPayments, Session } from '../../demo/payments.ts';

/** Mollie decides how long a buyer may pay: until one of these moments, half an hour ahead at least. */
const [shortestMs, roundMs] = [31 * 60_000, 8 * 60 * 60_000];

/** @returns the id of a session, of an id that either provider tells. */
export const sessionOf = (id: string): string => id.replace(/^(tr|pi)_/, 'cs_test_');
export const mollieIdOf = (session: string): string => session.replace('cs_test', 'tr');

/** @param onOpened gets the id of each session. */
export function openMollieApi(payments: ReturnType<typeof openPayments>, onOpened: (id: string) => void) {
  const jsonOf = ({ id, status, amount_total, payment_intent: intent, url }: Session) => {
    const of = (cents: number) => ({ value: (cents / 100).toFixed(2), currency: 'USD' });
    const payment = { id: mollieIdOf(id), status: intent ? 'paid' : status, amount: of(amount_total) };
    if (!intent) return { ...payment, _links: status === 'open' ? { checkout: { href: url } } : {} };
    const { amount_refunded: refunded, disputed } = intent.latest_charge;
    // A refund of a part is long on its way: only what remains tells of it.
    const arrived = disputed || refunded === amount_total ? refunded : 0;
    const chargedBack = disputed ? amount_total - refunded : 0;
    const sums = { amountRefunded: of(arrived), amountRemaining: of(amount_total - refunded) };
    return { ...payment, ...sums, amountChargedBack: of(chargedBack), _links: {} };
  };

  return async (request: IncomingMessage) => {
    const { url = '', headers } = request;
    const [, id = '', isRefund] = /^\/v2\/payments(?:\/(\w+))?(\/refunds)?$/.exec(url) ?? [];
    const { amount, redirectUrl, cancelUrl, metadata } = JSON.parse((await text(request)) || '{}');
    const cents = String(Math.round(Number(amount?.value) * 100));
    const expiresAt = Math.ceil((Date.now() + shortestMs) / roundMs) * roundMs;
    const opening = {
      ...{ client_reference_id: metadata?.reference, success_url: redirectUrl, cancel_url: cancelUrl },
      ...{ 'line_items[0][price_data][unit_amount]': cents, expires_at: String(expiresAt / 1000) },
    };
    const what = isRefund ? 'refunds' : 'checkout/sessions';
    const { status, json } = payments.answer({
      ...{ method: request.method ?? '', path: `/v1/${what}${isRefund || !id ? '' : `/${sessionOf(id)}`}` },
      fields: new URLSearchParams(isRefund ? { payment_intent: sessionOf(id), amount: cents } : opening),
      bearer: headers.authorization?.replace('Bearer ', '') ?? '',
      key: String(headers['idempotency-key']),
    });
    if (status !== 200 || isRefund) return { status: status === 400 ? 422 : status, json };
    const session = payments.find((json as Session).id);
    if (!id) onOpened(session.id);
    return { status, json: jsonOf(session) };
  };
}
