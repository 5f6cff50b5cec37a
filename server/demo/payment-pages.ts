/** The pages of the demo's payment provider, and the handler of all its requests. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { escapeHtml } from '../http/escape-html.ts';
import { demoPage, messagePage, pageHeaders, type Store } from './identity-pages.ts';
import { openPayments, PaymentError, type PaymentsOptions, type Session } from './payments.ts';
import { openApi } from './payments-api.ts';

const lateMs = 10_000;

/** The buttons of the page: what happens to the webhook of a payment, and a card that is declined. */
const buttons = {
  once: 'Pay',
  twice: 'Pay, with the webhook twice',
  before: 'Pay, with the webhook before you are back',
  late: `Pay, with the webhook ${lateMs / 1000} seconds late`,
  never: 'Pay, with the webhook lost',
  declined: 'Pay by a card that is declined',
} as const;

type Reply = { status: number; headers: Record<string, string>; body: string };

/** `accepts` is true for the addresses that `handle` handles. */
export function openPaymentProvider(options: PaymentsOptions & Store) {
  const payments = openPayments(options);
  const answer = openApi(payments);
  const headers = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(options.storeOrigin) };
  const html = (status: number, body: string): Reply => ({ status, headers, body });
  const redirect = (location: string): Reply => ({
    ...{ status: 303, headers: { ...headers, location }, body: '' },
  });

  async function payPage(name: string, pressed: string | null): Promise<Reply> {
    const session = payments.find(name, 'open');
    if (pressed === null || pressed === 'declined')
      return html(pressed ? 402 : 200, checkoutPage(options, session, pressed !== null));
    const event = payments.pay(name);
    if (pressed === 'before') await payments.send(event);
    if (pressed === 'late') void pause(lateMs).then(() => payments.send(event));
    if (pressed === 'once' || pressed === 'twice') void payments.send(event);
    if (pressed === 'twice') void payments.send(event);
    return redirect(session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', `cs_test_${name}`));
  }

  function dashboard(name: string, pressed: string | null): Reply {
    if (pressed === null) return html(200, dashboardPage([...payments.sessions.values()]));
    if (pressed === 'dispute') payments.dispute(name);
    else payments.refund(name, pressed === 'half' ? Math.ceil(payments.find(name).amount / 2) : undefined);
    return redirect('/payments');
  }

  async function replyTo(request: IncomingMessage): Promise<Reply> {
    const { method = 'GET', url = '', headers } = request;
    const { pathname: path, searchParams } = new URL(url, options.origin);
    const form = method === 'POST' ? new URLSearchParams(await text(request)) : undefined;
    if (path.startsWith('/v1/')) {
      const bearer = headers.authorization?.replace('Bearer ', '') ?? '';
      const key = headers['idempotency-key']?.toString();
      const { status, json } = answer({ method, path, fields: form ?? searchParams, bearer, key });
      return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
    }
    // A form of another site must not refund.
    const isForeign = !['same-origin', undefined].includes(headers['sec-fetch-site']?.toString());
    const pressed = isForeign ? null : (form?.get('press') ?? null);
    const [, folder, name = ''] = /^\/(pay|payments)(?:\/(\w+))?$/.exec(path) ?? [];
    try {
      return folder === 'payments' ? dashboard(name, pressed) : await payPage(name, pressed);
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

const button = (value: string, label: string): string =>
  `<button name="press" value="${value}"${value === 'once' ? ' class="primary"' : ''}>${label}</button>`;

const checkoutPage = ({ storeName }: Store, session: Session, isDeclined: boolean): string =>
  demoPage(
    `Pay ${priceOf(session, session.amount)} to ${storeName}`,
    `<p>Demo payment provider — for trying the store out; no money moves. Order ${escapeHtml(session.reference)}</p>
${isDeclined ? '<p class="fault" role="alert">The card was declined. Nothing was paid.</p>' : ''}
<form class="people" method="post">
${Object.entries(buttons)
  .map(([value, label]) => button(value, label))
  .join('\n')}
</form>
<p><a href="${escapeHtml(session.cancelUrl)}">Back to ${escapeHtml(storeName)} without paying</a></p>`,
  );

const dashboardPage = (sessions: readonly Session[]): string =>
  demoPage(
    'Payments of the demo',
    `<p>The dashboard of the demo payment provider, which forgets all when the store stops.</p>
${sessions.toReversed().map(paymentOf).join('\n') || '<p>There are no payments yet.</p>'}`,
  );

const paymentOf = (session: Session): string => {
  const { name, amount, reference, state, refunded, isDisputed } = session;
  const facts = [
    ...[escapeHtml(reference), priceOf(session, amount), state],
    ...(refunded > 0 ? [`${priceOf(session, refunded)} refunded`] : []),
    ...(isDisputed ? ['taken back by the bank'] : []),
  ];
  const acts = button('all', 'Refund') + button('half', 'Refund half') + button('dispute', 'Lose a dispute');
  const isOver = state !== 'paid' || isDisputed || refunded === amount;
  return `<form method="post" action="/payments/${name}"><p>${facts.join(', ')}</p>
${isOver ? '' : `<div class="actions">${acts}</div>`}</form>`;
};
