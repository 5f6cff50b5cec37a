/**
 * Steady arrivals: requests arrive at an even rate, whether or not earlier ones have their responses. Latency is measured
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
  const next = pickerOf(kinds);
  const latenciesMs: number[] = [];
  let failure: unknown;
  const finish = startMeasuring(pid);
  const startedAt = performance.now();
  const exchanges: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const arrivesAt = startedAt + (count / perSecond) * 1000;
    const waitMs = arrivesAt - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const { request, expectedStatus } = next();
    exchanges.push(
      send(origin, request, expectedStatus).then(
        () => void latenciesMs.push(performance.now() - arrivesAt),
        (error: unknown) => {
          failure ??= error;
        },
      ),
    );
  }
  await Promise.all(exchanges);
  if (failure) throw failure;
  return finish(latenciesMs);
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
