/** The load: each buyer sends an order, with the same key, until it is acknowledged, and then the next order. */

import { setTimeout as pause } from 'node:timers/promises';
import { centsToAmount } from '../../contract/money.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { type Buyer, book } from './store-nodes.ts';

/** The requests and responses of the buyers. */
export type PurchaseLog = {
  /** Every key that was sent, acknowledged or not. */
  sent: Set<string>;
  /** The order's id, by key. */
  acknowledged: Map<string, string>;
  /** The times of the acknowledgements by `performance.now()`, ascending. */
  acknowledgedAtMs: number[];
  /** Number of orders that were acknowledged after a retry. */
  retried: number;
  /** Number of responses of each kind: a status, or the reason why there was no response. */
  responses: Map<string, number>;
  slowestResponseMs: number;
  /** Key and response of each order that failed for good, such as with a 4xx. Expected to be empty. */
  rejections: string[];
};

export type Buying = {
  log: PurchaseLog;
  /** Resolves when every buyer has finished its current order. */
  stop(): Promise<void>;
};

/** The pause between two orders of a buyer: without it the buyers would take the processor from the cluster. */
const orderIntervalMs = 20;
/** After this time without a response a buyer sends the order again. */
const responseTimeoutMs = 15_000;
/** Pause before a retry, when the response has no `Retry-After`. */
const retryAfterMs = 250;
/** The time after which an order counts as never acknowledged. */
const orderTimeoutMs = 180_000;

/** @param origin of the store. @param buyers each of them sends one order at a time. */
export function startBuying(origin: string, buyers: readonly Buyer[]): Buying {
  const log = openLog();
  let isStopping = false;

  const buy = async (buyer: Buyer, name: number): Promise<void> => {
    for (let number = 1; !isStopping; number += 1) {
      await placeUntilAcknowledged([origin], buyer, `buyer-${name}-order-${number}`, log);
      await pause(orderIntervalMs);
    }
  };
  const buying = Promise.all(buyers.map((buyer, index) => buy(buyer, index + 1)));
  return {
    log,
    async stop() {
      isStopping = true;
      await buying;
    },
  };
}

export const openLog = (): PurchaseLog => ({
  sent: new Set(),
  acknowledged: new Map(),
  acknowledgedAtMs: [],
  retried: 0,
  responses: new Map(),
  slowestResponseMs: 0,
  rejections: [],
});

/**
 * Sends an order until it is acknowledged or rejected, and writes that into the log.
 * @param origins of the nodes, which the tries go to in turn.
 */
export async function placeUntilAcknowledged(
  origins: readonly string[],
  buyer: Buyer,
  key: string,
  log: PurchaseLog,
): Promise<void> {
  const { title, author, priceCents } = book;
  const body = JSON.stringify({
    title,
    author,
    price: centsToAmount(priceCents),
    email: buyer.email,
    time: new Date().toDateString(),
  });
  const deadline = performance.now() + orderTimeoutMs;
  log.sent.add(key);
  for (let tries = 1; performance.now() < deadline; tries += 1) {
    const sentAtMs = performance.now();
    const response = await send(origins[(tries - 1) % origins.length] ?? '', buyer, key, body);
    const receivedAtMs = performance.now();
    log.responses.set(response.kind, (log.responses.get(response.kind) ?? 0) + 1);
    log.slowestResponseMs = Math.max(log.slowestResponseMs, receivedAtMs - sentAtMs);
    if (response.orderId !== undefined) {
      log.acknowledged.set(key, response.orderId);
      if (tries > 1) log.retried += 1;
      log.acknowledgedAtMs.push(receivedAtMs);
      return;
    }
    if (response.retryInMs === undefined) {
      log.rejections.push(`${key}: ${response.kind}`);
      return;
    }
    await pause(response.retryInMs);
  }
}

type OrderResponse = {
  kind: string;
  /** When the order was acknowledged. */
  orderId?: string;
  /** The time when the order may be sent again. */
  retryInMs?: number;
};

async function send(origin: string, { cookie }: Buyer, key: string, body: string): Promise<OrderResponse> {
  try {
    const response = await fetch(origin + paths.addOrder, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
      body,
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const text = await response.text();
    if (response.status === 201) return { kind: '201', orderId: (JSON.parse(text) as Order)._id };
    if (response.status < 500) return { kind: `${response.status} ${text}` };
    // The store's errors have this type; others are the proxy's.
    const sender = response.headers.get('content-type')?.startsWith('application/problem+json')
      ? 'store'
      : 'proxy';
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      kind: `${response.status} of the ${sender}`,
      retryInMs: Number.isNaN(seconds) ? retryAfterMs : seconds * 1000,
    };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return {
      kind: isTimeout ? `no response within ${responseTimeoutMs / 1000} s` : 'connection broken',
      retryInMs: retryAfterMs,
    };
  }
}
