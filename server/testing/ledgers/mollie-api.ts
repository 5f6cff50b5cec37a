/** As much of Mollie's API as the store uses, over the sessions of the demo's provider (https://docs.mollie.com/reference/payments-api). */

import { randomUUID } from 'node:crypto';
import { type openPayments, PaymentError, type Session } from '../../demo/payments.ts';
import { providerKeys } from './node.ts';

type Asked = {
  amount: { value: string };
  redirectUrl: string;
  cancelUrl: string;
  metadata: { reference: string };
};
/** `body`: empty for a call that asks. */
type MollieCall = { path: string; body: string; bearer: string; key: string };
type Answer = { status: number; json: object };

export const mollieKey = 'test_ledgers';
/** Mollie forgets a key after this time. */
const keyMs = 60 * 60_000;

/** @returns the id of a session, of the id that either provider tells. */
export const sessionOf = (id: string): string => id.replace(/^(tr|pi)_/, 'cs_test_');
const idOf = (session: string): string => session.replace('cs_test', 'tr');

/** @param lifetimeS how long a buyer may pay: Mollie decides it. */
export function openMollieApi(payments: ReturnType<typeof openPayments>, lifetimeS: () => number) {
  const sessions = new Set<string>();
  const answers = new Map<string, { answer: Answer; until: number }>();
  /** Refunds on their way: only what remains tells of them. */
  const queued = new Set<string>();

  const jsonOf = ({ id, status, amount_total, payment_intent: intent, url }: Session) => {
    const of = (cents: number) => ({ value: (cents / 100).toFixed(2), currency: 'USD' });
    const payment = { id: idOf(id), status: intent ? 'paid' : status, amount: of(amount_total), _links: {} };
    if (!intent) return { ...payment, ...(status === 'open' && { _links: { checkout: { href: url } } }) };
    const { amount_refunded, disputed } = intent.latest_charge;
    return {
      ...payment,
      amountRefunded: of(queued.has(id) && !disputed ? 0 : amount_refunded),
      amountRemaining: of(amount_total - amount_refunded),
      amountChargedBack: of(disputed ? amount_total - amount_refunded : 0),
    };
  };

  /** @throws {PaymentError} */
  function perform(id: string | undefined, isRefund: boolean, body: string): object {
    if (body === '') return jsonOf(payments.find(sessionOf(id ?? '')));
    const { amount, redirectUrl, cancelUrl, metadata }: Asked = JSON.parse(body);
    const cents = Math.round(Number(amount.value) * 100);
    if (isRefund) {
      queued.add(sessionOf(id ?? ''));
      payments.refund(sessionOf(id ?? ''), cents);
      return { status: 'queued' };
    }
    const item = 'line_items[0][price_data]';
    const fields = new URLSearchParams({
      ...{ client_reference_id: metadata.reference, [`${item}[currency]`]: 'usd' },
      ...{ success_url: redirectUrl, cancel_url: cancelUrl, [`${item}[unit_amount]`]: String(cents) },
      expires_at: String(Math.floor(Date.now() / 1000) + lifetimeS()),
    });
    const keys = { bearer: providerKeys.secretKey, key: randomUUID() };
    const opened = payments.answer({ method: 'POST', path: '/v1/checkout/sessions', fields, ...keys });
    const session = opened.json as Session;
    sessions.add(session.id);
    return jsonOf(session);
  }

  return {
    sessions,
    /** The id that the store has of a session of either provider. */
    idOf: ({ id }: Session): string => (sessions.has(id) ? idOf(id) : id),
    answer({ path, body, bearer, key }: MollieCall): Answer {
      const [isKnown, id, act] = /^\/v2\/payments(?:\/(tr_\w+)(\/refunds)?)?$/.exec(path) ?? [];
      if (bearer !== mollieKey || isKnown === undefined) return { status: 401, json: {} };
      const earlier = answers.get(key);
      if (earlier && earlier.until > Date.now()) return earlier.answer;
      try {
        const answer = { status: body ? 201 : 200, json: perform(id, act !== undefined, body) };
        if (body) answers.set(key, { answer, until: Date.now() + keyMs });
        return answer;
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error;
        return { status: error.code === 'resource_missing' ? 404 : 422, json: { title: error.code } };
      }
    },
    /** All refunds that were on their way have arrived. */
    arrive: () => queued.clear(),
  };
}
