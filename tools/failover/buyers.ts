/** Buyers who do not give up: each posts an order until it is acknowledged, with the same key, and then the next. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { type Buyer, book } from './store-nodes.ts';

export type Ledger = {
  /** Every key that was sent, acknowledged or not. */
  sent: Set<string>;
  /** The order's id, by key. */
  acknowledged: Map<string, string>;
  /** When, on the clock of `performance.now()`, in the order in which it happened. */
  acknowledgedAtMs: number[];
  /** How many were acknowledged with another answer than the first. */
  retried: number;
  /** How often each kind of answer came: a status, or what came in place of an answer. */
  answers: Map<string, number>;
  slowestAnswerMs: number;
  /** What no retry mends, such as a 4xx: there should be none. */
  refusals: string[];
};

export type Buying = {
  ledger: Ledger;
  /** Lets every buyer bring the order in hand to its end. */
  stop(): Promise<void>;
};

/** Between two orders of a buyer: a steady load, which leaves some of the machine to the cluster. */
const betweenOrdersMs = 20;
/** A client that waits longer than this asks again. */
const answerWithinMs = 15_000;
const retryAfterMs = 250;
/** An order that is not acknowledged by then stays open. */
const giveUpAfterMs = 180_000;

export function startBuying(origin: string, buyers: readonly Buyer[]): Buying {
  const ledger: Ledger = {
    sent: new Set(),
    acknowledged: new Map(),
    acknowledgedAtMs: [],
    retried: 0,
    answers: new Map(),
    slowestAnswerMs: 0,
    refusals: [],
  };
  let isStopping = false;

  const buy = async (buyer: Buyer, name: number): Promise<void> => {
    for (let number = 1; !isStopping; number += 1) {
      await placeUntilAcknowledged(origin, buyer, `buyer-${name}-order-${number}`, ledger);
      await pause(betweenOrdersMs);
    }
  };
  const buying = Promise.all(buyers.map((buyer, index) => buy(buyer, index + 1)));
  return {
    ledger,
    async stop() {
      isStopping = true;
      await buying;
    },
  };
}

async function placeUntilAcknowledged(
  origin: string,
  buyer: Buyer,
  key: string,
  ledger: Ledger,
): Promise<void> {
  const body = JSON.stringify({ ...book, email: buyer.email, time: new Date().toDateString() });
  const until = performance.now() + giveUpAfterMs;
  ledger.sent.add(key);
  for (let attempt = 1; performance.now() < until; attempt += 1) {
    const sentAtMs = performance.now();
    const answer = await send(origin, buyer, key, body);
    const answeredAtMs = performance.now();
    ledger.answers.set(answer.kind, (ledger.answers.get(answer.kind) ?? 0) + 1);
    ledger.slowestAnswerMs = Math.max(ledger.slowestAnswerMs, answeredAtMs - sentAtMs);
    if (answer.orderId !== undefined) {
      ledger.acknowledged.set(key, answer.orderId);
      if (attempt > 1) ledger.retried += 1;
      ledger.acknowledgedAtMs.push(answeredAtMs);
      return;
    }
    if (answer.retryInMs === undefined) {
      ledger.refusals.push(`${key}: ${answer.kind}`);
      return;
    }
    await pause(answer.retryInMs);
  }
}

type Answer = { kind: string; orderId?: string; retryInMs?: number };

async function send(origin: string, { cookie }: Buyer, key: string, body: string): Promise<Answer> {
  try {
    const answer = await fetch(origin + paths.addOrder, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
      body,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await answer.text();
    if (answer.status === 201) return { kind: '201', orderId: (JSON.parse(text) as Order)._id };
    if (answer.status < 500) return { kind: `${answer.status} ${text}` };
    // The store's own answers say what they are; others come from the proxy.
    const from = answer.headers.get('content-type')?.startsWith('application/problem+json')
      ? 'store'
      : 'proxy';
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
    return {
      kind: `${answer.status} of the ${from}`,
      retryInMs: Number.isNaN(seconds) ? retryAfterMs : seconds * 1000,
    };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return {
      kind: isTimeout ? `none within ${answerWithinMs / 1000} s` : 'connection broken',
      retryInMs: retryAfterMs,
    };
  }
}
