/**
 * Steady arrivals: requests arrive at an even rate, even if earlier ones have no response yet. Latency is measured
 * from the arrival, so that it includes the time in a queue. `wrk` cannot do this, since each of its connections waits.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import type { Outcome } from './bench.ts';
import type { PlannedKind } from './calls.ts';
import { send, startMeasuring } from './client.ts';
import { randomNumbers } from './figures.ts';

/** @throws when a response has another status than planned. */
export async function measureArrivals(
  { origin, pid }: ServerProcess,
  kinds: readonly PlannedKind[],
  perSecond: number,
  seconds: number,
): Promise<Outcome> {
  const latenciesMs: number[] = [];
  let failure: unknown;
  const finish = startMeasuring(pid);
  await sendSteadily(origin, kinds, { perSecond, seconds }, (latencyMs, error) => {
    if (error === undefined) latenciesMs.push(latencyMs);
    else failure ??= error;
  });
  if (failure) throw failure;
  return finish(latenciesMs);
}

/**
 * Sends requests at an even rate. Resolves when each request has ended.
 * @param mostWaiting requests without a response at once, at most: while there are so many, no request arrives, and all later ones
 * arrive later by this time.
 * @param onEnd called after each request. `error`: there was no response, or one with another status than planned.
 */
export async function sendSteadily(
  origin: string,
  kinds: readonly PlannedKind[],
  {
    perSecond,
    seconds,
    mostWaiting = Number.POSITIVE_INFINITY,
  }: { perSecond: number; seconds: number; mostWaiting?: number },
  onEnd: (latencyMs: number, error?: unknown) => void,
): Promise<void> {
  const next = pickerOf(kinds);
  let startedAt = performance.now();
  const sent = new Set<Promise<void>>();
  for (let count = 0; count < perSecond * seconds; count += 1) {
    if (sent.size >= mostWaiting) {
      const fullAt = performance.now();
      while (sent.size >= mostWaiting) await pause(1);
      startedAt += performance.now() - fullAt;
    }
    const arrivesAt = startedAt + (count / perSecond) * 1000;
    const waitMs = arrivesAt - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const { request, expectedStatus } = next();
    const exchange: Promise<void> = send(origin, request, expectedStatus)
      .then(
        () => onEnd(performance.now() - arrivesAt),
        (error: unknown) => onEnd(performance.now() - arrivesAt, error),
      )
      .finally(() => sent.delete(exchange));
    sent.add(exchange);
  }
  await Promise.all(sent);
}

/** @returns a function that returns the next request: of a random kind, by the weights. */
function pickerOf(kinds: readonly PlannedKind[]) {
  const random = randomNumbers(1);
  const byWeight = kinds.flatMap((kind) => {
    const inTurn = { ...kind, sent: 0 };
    return Array.from({ length: kind.weight }, () => inTurn);
  });
  return () => {
    const kind = byWeight[Math.floor(random() * byWeight.length)];
    const request = kind?.requests[kind.sent % kind.requests.length];
    if (!kind || !request) throw new Error('a plan without requests');
    kind.sent += 1;
    return { request, expectedStatus: kind.expectedStatus };
  };
}
