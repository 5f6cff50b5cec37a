import type { FastifyBaseLogger } from 'fastify';
import { BoundedMap } from '../database/bounded-map.ts';
import type { DeliveryError } from './delivery-error.ts';

type Delays = { firstMs: number; maxMs: number };

export const retryDelay = (failures: number, { firstMs, maxMs }: Delays): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(20, Math.max(0, failures - 1)));

/** While a server fails, further messages would only wait for it one after the other. The log has when it begins and ceases to fail. */
export function watchServer(name: string, log: FastifyBaseLogger, delays: Delays) {
  let failures = 0;
  let pausedUntil = 0;
  let lastTakenAt = 0;
  const failedAt = new BoundedMap<string, number>({ maxEntries: 1_000 });
  const isPaused = () => Date.now() < pausedUntil;
  const pauseMs = () => retryDelay(failures, delays);

  return {
    isPaused,
    pauseMs,
    recordTaken(): void {
      lastTakenAt = Date.now();
      if (failures > 0) log.info(`the ${name} takes messages again`);
      failures = 0;
      pausedUntil = 0;
    },
    recordFailure({ code, notBefore = 0 }: DeliveryError): void {
      if (isPaused()) return;
      if (failures === 0) log.warn({ code }, `the ${name} takes no messages`);
      failures += 1;
      pausedUntil = Math.max(Date.now() + pauseMs(), notBefore);
    },
    /**
     * A server that breaks off at one message, such as a filter of contents, must not hold up the others: if it has taken another
     * message since it first failed with this one, it is the message that fails.
     */
    isAboutMessage({ id }: { id: string }, { concerns }: DeliveryError): boolean {
      if (concerns !== 'server') return false;
      const before = failedAt.get(id);
      if (before === undefined) failedAt.set(id, Date.now());
      return before !== undefined && before < lastTakenAt;
    },
  };
}
