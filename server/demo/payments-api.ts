/** As much of Stripe's API as the store uses, with its errors and its idempotency keys (https://docs.stripe.com/api). */

import { randomUUID } from 'node:crypto';
import { chargeJson, disputeJson, PaymentError, type Payments, type Session } from './payments.ts';

/** `path` begins with `/v1/`; `fields` are those of the query or of the form. */
export type ApiCall = {
  method: string;
  path: string;
  fields: URLSearchParams;
  bearer: string;
  key: string | undefined;
};
export type ApiAnswer = { status: number; json: object };

/** @returns a function that answers calls. An answer other than an error is given again to a call with the same key. */
export function openApi(payments: Payments): (call: ApiCall) => ApiAnswer {
  const answers = new Map<string, { asked: string; answer: ApiAnswer }>();
  return (call) => {
    const { method, path, fields, bearer, key = randomUUID() } = call;
    if (bearer !== payments.options.secretKey) return errorAnswer(401, '', 'Invalid API Key provided.');
    const asked = `${path}?${fields}`;
    const earlier = answers.get(key);
    if (earlier?.asked === asked) return earlier.answer;
    if (earlier) return errorAnswer(400, '', 'This key was used with other parameters.', 'idempotency_error');
    try {
      const answer = { status: 200, json: answerOf(payments, call) };
      if (method === 'POST') answers.set(key, { asked, answer });
      return answer;
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      return errorAnswer(error.code === 'resource_missing' ? 404 : 400, error.code, error.message);
    }
  };
}

const errorAnswer = (status: number, code: string, message: string, type = 'invalid_request_error') => ({
  status,
  json: { error: { type, code, message } },
});

function answerOf(payments: Payments, { method, path, fields }: ApiCall): object {
  const [, kind = '', id = fields.get('payment_intent') ?? '', act = ''] =
    /^\/v1\/(checkout\/sessions|\w+)(?:\/(\w+))?(\/\w+)?$/.exec(path) ?? [];
  const name = id.slice(id.lastIndexOf('_') + 1);
  const wants = (part: string) =>
    [...fields].some(([field, value]) => field.startsWith('expand') && value.split('.').includes(part));
  const intentOf = (session: Session) => ({
    ...{ id: `pi_${session.name}`, object: 'payment_intent', status: 'succeeded' },
    ...{ amount: session.amount, amount_received: session.amount, currency: session.currency },
    latest_charge: wants('latest_charge') ? chargeJson(session) : `ch_${session.name}`,
  });
  switch (`${method} ${kind}${act}`) {
    case 'POST checkout/sessions':
      return payments.jsonOf(payments.open(newSession(fields)));
    case 'POST checkout/sessions/expire':
      return payments.jsonOf(payments.expire(name));
    case 'GET checkout/sessions': {
      const session = payments.find(name);
      const isWhole = session.state === 'paid' && wants('payment_intent');
      return { ...payments.jsonOf(session), ...(isWhole && { payment_intent: intentOf(session) }) };
    }
    case 'GET payment_intents':
      return intentOf(payments.find(name, 'paid'));
    case 'GET disputes': {
      const session = payments.find(name, 'paid');
      return { object: 'list', data: session.isDisputed ? [disputeJson(session)] : [], has_more: false };
    }
    case 'POST refunds': {
      const amount = fields.get('amount');
      payments.refund(name, amount === null ? undefined : Number(amount));
      return { id: `re_${randomUUID()}`, object: 'refund', status: 'succeeded', payment_intent: id };
    }
    default:
      throw new PaymentError('resource_missing', `Unrecognized request URL (${method}: ${path}).`);
  }
}

function newSession(fields: URLSearchParams) {
  const amounts = [...fields].flatMap(([field, value]) => {
    const [, item] = /^(line_items\[\d+\])\[price_data\]\[unit_amount\]$/.exec(field) ?? [];
    return item ? [Number(value) * Number(fields.get(`${item}[quantity]`) ?? 1)] : [];
  });
  return {
    reference: fields.get('client_reference_id') ?? '',
    currency: fields.get('line_items[0][price_data][currency]') ?? '',
    amount: amounts.reduce((sum, amount) => sum + amount, 0),
    successUrl: fields.get('success_url') ?? '',
    cancelUrl: fields.get('cancel_url') ?? '',
    expiresAt: Number(fields.get('expires_at')),
  };
}
