/** The demo's payment provider, whose calls and webhooks are lost, repeated and late. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openPaymentProvider } from '../../demo/payment-pages.ts';
import type { PaymentEvent } from '../../demo/payments.ts';
import { findFreePort } from '../free-ports.ts';
import { providerKeys } from './node.ts';

export type FaultyProvider = Awaited<ReturnType<typeof openFaultyProvider>>;

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
    const sent: Promise<unknown> = provider.payments.send(event).finally(() => sending.delete(sent));
    sending.add(sent);
  };
  const deliver = (event: PaymentEvent): void => {
    const luck = isFaulty ? random() : 1;
    if (luck < 0.2) return;
    if (luck < 0.4) late.push(event);
    else send(event);
    if (luck < 0.55) send(event);
  };
  const provider = openPaymentProvider({
    ...providerKeys,
    ...{ origin, storeName: 'Colophon', storeOrigin: 'http://localhost:3000', onEvent: deliver },
    get webhookUrl() {
      return `${storeOrigin()}/payments/stripe`;
    },
  });

  const server = createServer(async (request, response) => {
    const luck = isFaulty ? random() : 1;
    if (luck < 0.03) return void response.destroy();
    if (luck < 0.06 || isDown) return void response.writeHead(500).end('{"error":{"type":"api_error"}}');
    if (luck < 0.2) await pause(random() * 40);
    const reply = await provider.answerTo(request);
    // The call has taken effect, and its answer is lost.
    if (!reply || (isFaulty && random() < 0.05)) return void response.destroy();
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    payments: provider.payments,
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
      provider.payments.sessions.clear();
    },
    close: async () => server.close().closeAllConnections(),
  };
}
