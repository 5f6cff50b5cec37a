/** The demo's payment provider: as much of Stripe's API as the store uses (https://docs.stripe.com/api), in memory. */

import { createHmac, randomUUID } from 'node:crypto';

export type PaymentsOptions = {
  /** The address that browsers and the store use, such as `http://localhost:3001`. */
  origin: string;
  secretKey: string;
  webhookSecret: string;
  webhookUrl: string;
  /** Gets the event of each refund and dispute. Unset: it is sent to the store once. */
  onEvent?: (event: PaymentEvent) => unknown;
};
export type PaymentEvent = { type: string; data: { object: object } };

/** A call of the API. `path` begins with `/v1/`; `fields` are those of the query or of the form. */
type ApiCall = { method: string; path: string; fields: URLSearchParams; bearer: string; key: string };
type ApiAnswer = { status: number; json: object };

export class PaymentError extends Error {
  override name = 'PaymentError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A session of Stripe's Checkout. Amounts are in the currency's smallest unit, and times in seconds since 1970. */
export type Session = {
  id: string;
  object: string;
  client_reference_id: string;
  amount_total: number;
  currency: string;
  success_url: string;
  cancel_url: string;
  expires_at: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: string;
  payment_intent: Intent | null;
  url: string;
};

type Intent = ReturnType<typeof intentOf>;
const intentOf = ({ id: session, amount_total: amount }: Session) => {
  const id = session.replace('cs_test', 'pi');
  const charge = { object: 'charge', payment_intent: id, amount_refunded: 0, disputed: false };
  return { id, object: 'payment_intent', amount_received: amount, latest_charge: charge };
};

const nowS = (): number => Math.floor(Date.now() / 1000);
/** Stripe's limits for `expires_at`. */
const [shortestS, longestS] = [30 * 60, 24 * 60 * 60];

export function openPayments(options: PaymentsOptions) {
  const sessions = new Map<string, Session>();
  const answers = new Map<string, { asked: string; answer: ApiAnswer }>();

  /** Sends a webhook, signed as of now. @returns true if the store took it. */
  async function send(event: PaymentEvent): Promise<boolean> {
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', ...event });
    const signature = createHmac('sha256', options.webhookSecret).update(`${nowS()}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${nowS()},v1=${signature}` };
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) };
    return await fetch(options.webhookUrl, request).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  const tell = (type: string, object: object) => void (options.onEvent ?? send)({ type, data: { object } });

  /** @param id of a session or of its intent. @throws {PaymentError} */
  function find(id: string): Session {
    const session = sessions.get(id.replace('pi', 'cs_test'));
    if (!session) throw new PaymentError('resource_missing', `No such session: ${id}`);
    if (session.status === 'open' && session.expires_at <= nowS()) session.status = 'expired';
    return session;
  }

  /** @throws {PaymentError} unless the session waits for its payment. */
  function findOpen(id: string): Session {
    const session = find(id);
    if (session.status === 'open') return session;
    throw new PaymentError('session_not_open', `This session is ${session.status}.`);
  }

  /** @throws {PaymentError} unless the session is paid. */
  function findIntent(id: string): Intent {
    const { payment_intent } = find(id);
    if (!payment_intent) throw new PaymentError('payment_intent_unexpected_state', 'Nothing was paid.');
    return payment_intent;
  }

  function open(fields: URLSearchParams): Session {
    const read = (name: string): string => fields.get(name) ?? '';
    const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
    const session: Session = {
      ...{ id, object: 'checkout.session', url: `${options.origin}/pay/${id}` },
      ...{ client_reference_id: read('client_reference_id'), expires_at: Number(read('expires_at')) },
      // An order is one item.
      amount_total: Number(read('line_items[0][price_data][unit_amount]')),
      currency: read('line_items[0][price_data][currency]'),
      ...{ success_url: read('success_url'), cancel_url: read('cancel_url') },
      ...{ payment_status: 'unpaid', payment_intent: null },
      status: 'open',
    };
    const lifetimeS = session.expires_at - nowS();
    if (!(lifetimeS >= shortestS && lifetimeS <= longestS))
      throw new PaymentError('parameter_invalid', 'expires_at must be in 30 minutes to 24 hours.');
    sessions.set(id, session);
    return session;
  }

  /** @returns the event, which the caller sends. @throws {PaymentError} */
  function pay(id: string): PaymentEvent {
    const session = findOpen(id);
    session.status = 'complete';
    session.payment_status = 'paid';
    session.payment_intent = intentOf(session);
    return { type: 'checkout.session.completed', data: { object: jsonOf(session) } };
  }

  /** @param amount undefined: all that is left. @throws {PaymentError} */
  function refund(id: string, amount?: number): void {
    const { amount_received, latest_charge: charge } = findIntent(id);
    const left = amount_received - charge.amount_refunded;
    const sum = amount ?? left;
    if (charge.disputed) throw new PaymentError('charge_disputed', 'This charge is disputed.');
    if (!(sum > 0 && sum <= left))
      throw new PaymentError('parameter_invalid', `The amount must be at most ${left}.`);
    charge.amount_refunded += sum;
    tell('charge.refunded', charge);
  }

  /** The buyer's bank takes back what is not refunded yet. @throws {PaymentError} */
  function dispute(id: string): void {
    const { latest_charge: charge } = findIntent(id);
    charge.disputed = true;
    tell('charge.dispute.closed', { ...charge, object: 'dispute' });
  }

  function resultOf({ method, path, fields }: ApiCall): object {
    const [, what, id = fields.get('payment_intent') ?? ''] =
      /^\/v1\/(checkout\/sessions|disputes|refunds)(?:\/(\w+))?$/.exec(path) ?? [];
    switch (`${method} ${what}`) {
      case 'POST checkout/sessions':
        return jsonOf(open(fields));
      case 'GET checkout/sessions':
        return fields.get('expand[0]') === 'payment_intent.latest_charge' ? find(id) : jsonOf(find(id));
      case 'GET disputes': {
        const { amount_received, latest_charge: charge } = findIntent(id);
        const lost = { object: 'dispute', status: 'lost', amount: amount_received - charge.amount_refunded };
        return { object: 'list', data: charge.disputed ? [lost] : [], has_more: false };
      }
      case 'POST refunds':
        refund(id, Number(fields.get('amount')));
        return { id: `re_${randomUUID()}`, object: 'refund', status: 'succeeded' };
      default:
        throw new PaymentError('resource_missing', `Unrecognized request URL (${method}: ${path}).`);
    }
  }

  /** Answers a call. An answer other than an error is given again to a call with the same key. */
  function answer(call: ApiCall): ApiAnswer {
    const { method, path, fields, bearer, key } = call;
    if (bearer !== options.secretKey) return errorOf(401, '', 'Invalid API Key provided.');
    const asked = `${path}?${fields}`;
    const earlier = answers.get(key);
    if (earlier?.asked === asked) return earlier.answer;
    if (earlier) return errorOf(400, '', 'This key was used with other parameters.', 'idempotency_error');
    try {
      const answer = { status: 200, json: resultOf(call) };
      if (method === 'POST') answers.set(key, { asked, answer });
      return answer;
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      return errorOf(error.code === 'resource_missing' ? 404 : 400, error.code, error.message);
    }
  }

  return { sessions, find, findOpen, pay, refund, dispute, send, answer };
}

/** A session as the API answers with it, unless its intent is asked for. */
export const jsonOf = (session: Session) => ({
  ...session,
  payment_intent: session.payment_intent?.id ?? null,
});

const errorOf = (status: number, code: string, message: string, type = 'invalid_request_error') => ({
  status,
  json: { error: { type, code, message } },
});
