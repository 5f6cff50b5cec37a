/** The ledger of the demo's payment provider: checkout sessions and their refunds, in memory. */

import { createHmac, randomUUID } from 'node:crypto';

/** Amounts are in the currency's smallest unit, and times in seconds since 1970, as in Stripe's API. */
export type Session = {
  /** The ids of the session, its intent and its charge end in this text. */
  name: string;
  reference: string;
  currency: string;
  amount: number;
  successUrl: string;
  cancelUrl: string;
  createdAt: number;
  expiresAt: number;
  state: 'open' | 'paid' | 'expired';
  refunded: number;
  /** True if the buyer's bank has taken the payment back. */
  isDisputed: boolean;
};
export type NewSession = Omit<Session, 'name' | 'createdAt' | 'state' | 'refunded' | 'isDisputed'>;

export type PaymentsOptions = {
  /** The address that browsers and the store use, such as `http://localhost:3001`. */
  origin: string;
  secretKey: string;
  webhookSecret: string;
  /** The store's address for webhooks. */
  webhookUrl: string;
  /** Gets the event of each expiry, refund and dispute. Unset: it is sent to the store once. */
  onEvent?: (event: PaymentEvent) => unknown;
};
export type PaymentEvent = { type: string; data: { object: object } };

/** Stripe's limits for `expires_at`. */
const shortestS = 30 * 60;
const longestS = 24 * 60 * 60;

export class PaymentError extends Error {
  override name = 'PaymentError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type Payments = ReturnType<typeof openPayments>;

export function openPayments(options: PaymentsOptions) {
  const { origin, webhookSecret, onEvent = send } = options;
  const sessions = new Map<string, Session>();
  const nowS = () => Math.floor(Date.now() / 1000);
  const jsonOf = (session: Session) => sessionJson(session, origin);

  /** @throws {PaymentError} unless the session is there, and in this state where one is given. */
  function find(name: string, state?: Session['state']): Session {
    const session = sessions.get(name);
    if (!session) throw new PaymentError('resource_missing', `No such session: ${name}`);
    if (session.state === 'open' && session.expiresAt <= nowS()) session.state = 'expired';
    if (session.state === (state ?? session.state)) return session;
    throw new PaymentError('session_not_in_state', `This session is ${session.state}, not ${state}.`);
  }

  /** Sends a webhook, signed as of now. @returns true if the store took it. */
  async function send(event: PaymentEvent): Promise<boolean> {
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', created: nowS(), ...event });
    const signature = createHmac('sha256', webhookSecret).update(`${nowS()}.${body}`).digest('hex');
    const headers = {
      ...{ 'content-type': 'application/json', 'stripe-signature': `t=${nowS()},v1=${signature}` },
    };
    const signal = AbortSignal.timeout(10_000);
    return fetch(options.webhookUrl, { method: 'POST', headers, body, signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  return {
    ...{ options, sessions, find, send, jsonOf },
    open(given: NewSession): Session {
      const createdAt = nowS();
      const lifetimeS = given.expiresAt - createdAt;
      if (!given.successUrl) throw new PaymentError('parameter_missing', 'success_url is missing.');
      if (!(given.amount > 0)) throw new PaymentError('amount_too_small', 'The amount must be positive.');
      if (!(lifetimeS >= shortestS && lifetimeS <= longestS))
        throw new PaymentError('parameter_invalid', 'expires_at must be in 30 minutes to 24 hours.');
      const name = randomUUID().replaceAll('-', '');
      const fresh = { state: 'open', refunded: 0, isDisputed: false } as const;
      const session: Session = { ...given, ...fresh, name, createdAt };
      sessions.set(name, session);
      return session;
    },
    /** @returns the event, which the caller sends. */
    pay(name: string): PaymentEvent {
      const session = find(name, 'open');
      session.state = 'paid';
      return { type: 'checkout.session.completed', data: { object: jsonOf(session) } };
    },
    expire(name: string): Session {
      const session = find(name, 'open');
      session.state = 'expired';
      onEvent({ type: 'checkout.session.expired', data: { object: jsonOf(session) } });
      return session;
    },
    /** @param amount undefined: all that is left. */
    refund(name: string, amount?: number): void {
      const session = find(name, 'paid');
      const left = session.amount - session.refunded;
      if (session.isDisputed) throw new PaymentError('charge_disputed', 'This charge is disputed.');
      if (left === 0) throw new PaymentError('charge_already_refunded', 'This charge is refunded already.');
      if (!((amount ?? left) > 0 && (amount ?? left) <= left))
        throw new PaymentError('parameter_invalid', `The amount must be at most ${left}.`);
      session.refunded += amount ?? left;
      onEvent({ type: 'charge.refunded', data: { object: chargeJson(session) } });
    },
    /** The buyer's bank takes back what is not refunded yet. */
    dispute(name: string): void {
      const session = find(name, 'paid');
      session.isDisputed = true;
      onEvent({ type: 'charge.dispute.closed', data: { object: disputeJson(session) } });
    },
  };
}

const sessionJson = (session: Session, origin: string) => ({
  ...{ id: `cs_test_${session.name}`, object: 'checkout.session', mode: 'payment' },
  ...{ client_reference_id: session.reference, amount_total: session.amount, currency: session.currency },
  ...{ created: session.createdAt, expires_at: session.expiresAt },
  status: session.state === 'paid' ? 'complete' : session.state,
  payment_status: session.state === 'paid' ? 'paid' : 'unpaid',
  payment_intent: session.state === 'paid' ? `pi_${session.name}` : null,
  url: session.state === 'open' ? `${origin}/pay/${session.name}` : null,
});

export const chargeJson = ({ name, amount, currency, refunded, isDisputed }: Session) => ({
  ...{ id: `ch_${name}`, object: 'charge', payment_intent: `pi_${name}`, status: 'succeeded', paid: true },
  ...{ amount, amount_captured: amount, amount_refunded: refunded, currency },
  ...{ refunded: refunded === amount, disputed: isDisputed },
});

export const disputeJson = ({ name, amount, currency, refunded }: Session) => ({
  ...{ id: `dp_${name}`, object: 'dispute', status: 'lost', amount: amount - refunded, currency },
  ...{ charge: `ch_${name}`, payment_intent: `pi_${name}` },
});
