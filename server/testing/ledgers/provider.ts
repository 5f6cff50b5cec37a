/** The demo's payment provider, which answers as Stripe and as Mollie, and whose calls and webhooks are lost, repeated and late. */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { openPaymentProvider } from '../../demo/payment-pages.ts';
import type { PaymentEvent, Session } from '../../demo/payments.ts';
import { findFreePort } from '../free-ports.ts';
import { openMollieApi, sessionOf } from './mollie-api.ts';
import { providerKeys } from './node.ts';

export type FaultyProvider = Awaited<ReturnType<typeof openFaultyProvider>>;

/** The sessions of Stripe live for half an hour, as the store asks; those of Mollie up to a day. */
const [shortestS, longestS] = [31 * 60, 24 * 60 * 60];

/** @param storeOrigin called for each webhook. */
export async function openFaultyProvider({
  random,
  storeOrigin,
}: {
  random: () => number;
  storeOrigin: () => string;
}) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  let isFaulty = true;
  let isDown = false;
  /** Webhooks on their way, and those that come later than others. */
  const sending = new Set<Promise<unknown>>();
  let late: PaymentEvent[] = [];

  const send = (event: PaymentEvent): void => {
    const { id, payment_intent = '' } = event.data.object as { id?: string; payment_intent?: string };
    const session = ledger.payments.find(sessionOf(id ?? payment_intent));
    const isOfMollie = ledger.mollie.sessions.has(session.id);
    const told = isOfMollie ? sendAsMollie(ledger.mollie.idOf(session)) : ledger.payments.send(event);
    const sent: Promise<unknown> = told.finally(() => sending.delete(sent));
    sending.add(sent);
  };
  /** Mollie tells an id, and signs nothing. */
  const sendAsMollie = (id: string): Promise<unknown> =>
    fetch(`${storeOrigin()}/payments/mollie`, { method: 'POST', body: new URLSearchParams({ id }) }).catch(
      () => {},
    );
  const deliver = (event: PaymentEvent): void => {
    const luck = isFaulty ? random() : 1;
    if (luck < 0.2) return;
    if (luck < 0.4) late.push(event);
    else send(event);
    if (luck < 0.55) send(event);
  };

  const openLedger = () => {
    const provider = openPaymentProvider({
      ...providerKeys,
      ...{ origin, storeName: 'Colophon', storeOrigin: 'http://localhost:3000', onEvent: deliver },
      get webhookUrl() {
        return `${storeOrigin()}/payments/stripe`;
      },
    });
    const lifetimeS = () => shortestS + Math.floor(random() * (longestS - shortestS));
    return { ...provider, mollie: openMollieApi(provider.payments, lifetimeS) };
  };
  let ledger = openLedger();

  async function answerAsMollie(request: IncomingMessage) {
    const { url: path = '', headers } = request;
    const bearer = headers.authorization?.replace('Bearer ', '') ?? '';
    const key = String(headers['idempotency-key']);
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return undefined;
    const { status, json } = ledger.mollie.answer({ path, body, bearer, key });
    return { status, headers: { 'content-type': 'application/hal+json' }, body: JSON.stringify(json) };
  }

  const server = createServer(async (request, response) => {
    const luck = isFaulty ? random() : 1;
    if (luck < 0.03) return void response.destroy();
    if (luck < 0.06 || isDown) return void response.writeHead(500).end('{"error":{"type":"api_error"}}');
    if (luck < 0.2) await pause(random() * 40);
    const isMollie = request.url?.startsWith('/v2/');
    const reply = await (isMollie ? answerAsMollie(request) : ledger.answerTo(request));
    // The call has taken effect, and its answer is lost.
    if (!reply || (isFaulty && random() < 0.05)) return void response.destroy();
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    get payments() {
      return ledger.payments;
    },
    idOf: (session: Session): string => ledger.mollie.idOf(session),
    origin,
    deliver,
    send,
    /** Sends what was late, in another order, and waits for all webhooks. */
    async settle(): Promise<void> {
      ledger.mollie.arrive();
      const events = late.toSorted(() => random() - 0.5);
      late = [];
      for (const event of events) send(event);
      await Promise.all(sending);
    },
    /** True while each call fails. */
    setDown(isNowDown: boolean): void {
      isDown = isNowDown;
    },
    mend(): void {
      isFaulty = false;
      isDown = false;
    },
    forget(): void {
      isFaulty = true;
      late = [];
      ledger = openLedger();
    },
    close: async () => server.close().closeAllConnections(),
  };
}
