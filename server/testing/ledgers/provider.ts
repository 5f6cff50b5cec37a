/** The demo's payment provider, which answers as Stripe and as Mollie, and whose calls and webhooks are lost, repeated and late. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openPaymentProvider } from '../../demo/payment-pages.ts';
import type { PaymentEvent, Session } from '../../demo/payments.ts';
import { findFreePort } from '../free-ports.ts';
import { mollieIdOf, openMollieApi, sessionOf } from './mollie-api.ts';
import { providerKeys } from './node.ts';

export type FaultyProvider = Awaited<ReturnType<typeof openFaultyProvider>>;

/** @param storeOrigin called for each webhook. */
export async function openFaultyProvider(random: () => number, storeOrigin: () => string) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  /** `whole`: no call and no webhook is lost. `down`: each call fails. */
  let state: 'whole' | 'faulty' | 'down' = 'faulty';
  let ofMollie = new Set<string>();
  /** Webhooks on their way, and those that come later than others. */
  const sending = new Set<Promise<unknown>>();
  let late: PaymentEvent[] = [];

  /** Mollie tells an id, and signs nothing. */
  const tellAsMollie = (id: string): Promise<unknown> =>
    fetch(`${storeOrigin()}/payments/mollie`, { method: 'POST', body: new URLSearchParams({ id }) }).catch(
      () => {},
    );
  const send = (event: PaymentEvent): void => {
    const { id, payment_intent = '' } = event.data.object as { id?: string; payment_intent?: string };
    const session = sessionOf(id ?? payment_intent);
    const told = ofMollie.has(session) ? tellAsMollie(mollieIdOf(session)) : ledger.payments.send(event);
    const sent: Promise<unknown> = told.finally(() => sending.delete(sent));
    sending.add(sent);
  };
  const deliver = (event: PaymentEvent): void => {
    const luck = state === 'whole' ? 1 : random();
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
    const answerAsMollie = openMollieApi(provider.payments, (id) => ofMollie.add(id));
    return { ...provider, answerAsMollie };
  };
  let ledger = openLedger();

  const server = createServer(async (request, response) => {
    const luck = state === 'whole' ? 1 : random();
    if (luck < 0.03) return void response.destroy();
    if (luck < 0.06 || state === 'down')
      return void response.writeHead(500).end('{"error":{"type":"api_error"}}');
    if (luck < 0.2) await pause(random() * 40);
    const reply = request.url?.startsWith('/v2/')
      ? await ledger.answerAsMollie(request).catch(() => undefined)
      : await ledger.answerTo(request);
    // The call has taken effect, and its answer is lost.
    if (!reply || (state !== 'whole' && random() < 0.05)) return void response.destroy();
    const { headers, body } = 'body' in reply ? reply : { headers: {}, body: JSON.stringify(reply.json) };
    response.writeHead(reply.status, headers).end(body);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    get payments() {
      return ledger.payments;
    },
    /** The id that the store has of a session. */
    idOf: ({ id }: Session): string => (ofMollie.has(id) ? mollieIdOf(id) : id),
    origin,
    deliver,
    send,
    /** Sends what was late, in another order, and waits for all webhooks. */
    async settle(): Promise<void> {
      const events = late.toSorted(() => random() - 0.5);
      late = [];
      for (const event of events) send(event);
      await Promise.all(sending);
    },
    become(next: typeof state): void {
      state = next;
    },
    forget(): void {
      late = [];
      ofMollie = new Set();
      ledger = openLedger();
    },
  };
}
