/** The pages of the demo's payment provider, and the handler of all its requests. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { escapeHtml } from '../http/escape-html.ts';
import { demoPage, messagePage, pageHeaders, type Store } from './identity-pages.ts';
import { openPayments, PaymentError, type PaymentsOptions, type Session } from './payments.ts';

const lateMs = 10_000;

/** The buttons of the buyer: what happens to the webhook of a payment, and a card that is declined. */
const payButtons = {
  once: 'Pay',
  twice: 'Pay, with the webhook twice',
  before: 'Pay, with the webhook before you are back',
  late: `Pay, with the webhook ${lateMs / 1000} seconds late`,
  never: 'Pay, with the webhook lost',
  declined: 'Pay by a card that is declined',
};
const refundButtons = { all: 'Refund', half: 'Refund half', dispute: 'Lose a dispute' };

/** `accepts` is true for the addresses that `handle` handles. */
export function openPaymentProvider(options: PaymentsOptions & Store) {
  const payments = openPayments(options);
  const { find, findOpen, send } = payments;
  const headers = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(options.storeOrigin) };
  const html = (status: number, body: string) => ({ status, headers, body });
  const redirect = (location: string) => ({ status: 303, headers: { ...headers, location }, body: '' });

  async function payPage(id: string, pressed: string | null | undefined) {
    const session = findOpen(id);
    if (!pressed) return html(200, checkoutPage(options, session));
    if (pressed === 'declined') return html(402, checkoutPage(options, session, declined));
    const event = payments.pay(id);
    if (pressed === 'before') await send(event);
    if (pressed === 'late') void pause(lateMs).then(() => send(event));
    if (pressed === 'once' || pressed === 'twice') void send(event);
    if (pressed === 'twice') void send(event);
    return redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id));
  }

  function dashboard(id: string, pressed: string | null | undefined) {
    if (!pressed) return html(200, dashboardPage([...payments.sessions.values()]));
    if (pressed === 'dispute') payments.dispute(id);
    else payments.refund(id, pressed === 'half' ? Math.ceil(find(id).amount_total / 2) : undefined);
    return redirect('/payments');
  }

  async function replyTo(request: IncomingMessage) {
    const { method = 'GET', url = '', headers } = request;
    const { pathname: path, searchParams } = new URL(url, options.origin);
    const form = method === 'POST' ? new URLSearchParams(await text(request)) : undefined;
    if (path.startsWith('/v1/')) {
      const bearer = headers.authorization?.replace('Bearer ', '') ?? '';
      const key = String(headers['idempotency-key'] ?? randomUUID());
      const { status, json } = payments.answer({ method, path, fields: form ?? searchParams, bearer, key });
      return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
    }
    // A form of another site must not refund.
    const pressed = headers['sec-fetch-site'] === 'cross-site' ? undefined : form?.get('press');
    const [, folder, id = ''] = /^\/(pay|payments)(?:\/(\w+))?$/.exec(path) ?? [];
    try {
      return folder === 'payments' ? dashboard(id, pressed) : await payPage(id, pressed);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      return html(410, messagePage(options, 'This is not possible', error.message));
    }
  }

  /** @returns undefined if the caller has left before its request was read. */
  const answerTo = (request: IncomingMessage) => replyTo(request).catch(() => undefined);
  return {
    payments,
    answerTo,
    accepts: ({ url = '' }: IncomingMessage): boolean => /^\/(v1|pay|payments)(\/|$)/.test(url),
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const reply = await answerTo(request);
      if (reply) response.writeHead(reply.status, reply.headers).end(reply.body);
      else response.destroy();
    },
  };
}

function priceOf({ currency }: Session, amount: number): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const form = (path: string, buttons: Readonly<Record<string, string>>): string => {
  const button = ([value, label]: [string, string]) =>
    `<button name="press" value="${value}"${value === 'once' ? ' class="primary"' : ''}>${label}</button>`;
  return `<form class="people" method="post" action="${path}">\n${Object.entries(buttons).map(button).join('\n')}\n</form>`;
};

const declined = '<p class="fault" role="alert">The card was declined. Nothing was paid.</p>';

const checkoutPage = ({ storeName }: Store, session: Session, fault = ''): string =>
  demoPage(
    `Pay ${priceOf(session, session.amount_total)} to ${storeName}`,
    `<p>Demo payment provider — for trying the store out; no money moves. Order ${escapeHtml(session.client_reference_id)}</p>
${fault}
${form(`/pay/${session.id}`, payButtons)}
<p><a href="${escapeHtml(session.cancel_url)}">Back to ${escapeHtml(storeName)} without paying</a></p>`,
  );

const dashboardPage = (sessions: readonly Session[]): string =>
  demoPage(
    'Payments of the demo',
    `<p>The dashboard of the demo payment provider, which forgets all when the store stops.</p>
${sessions.toReversed().map(paymentOf).join('\n') || '<p>There are no payments yet.</p>'}`,
  );

const paymentOf = (session: Session): string => {
  const { id, client_reference_id: reference, amount_total: amount, payment_intent: intent } = session;
  const { amount_refunded = 0, disputed = false } = intent?.latest_charge ?? {};
  const back = amount_refunded > 0 ? `, ${priceOf(session, amount_refunded)} refunded` : '';
  const lost = disputed ? ', taken back by the bank' : '';
  const state = intent ? 'paid' : session.status;
  return `<p>${escapeHtml(reference)}, ${priceOf(session, amount)}, ${state}${back}${lost}</p>
${intent && !disputed && amount_refunded < amount ? form(`/payments/${id}`, refundButtons) : ''}`;
};
