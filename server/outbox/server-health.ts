import type { FastifyBaseLogger } from 'fastify';
import { BoundedMap } from '../database/bounded-map.ts';
import type { DeliveryError } from './delivery-error.ts';

/** @returns the wait after so many failures: the first one's is doubled by each further one. In milliseconds. */
export const retryDelay = (
  failures: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
): number => Math.min(maxMs, firstMs * 2 ** Math.min(20, Math.max(0, failures - 1)));

/** A server that takes messages, as this node sees it: while it fails, further ones would only wait for it one after the other. */
type ServerHealth = {
  isPaused(): boolean;
  /** @returns how long the server is left alone after its last failure, in milliseconds. */
  pauseMs(): number;
  recordTaken(): void;
  recordFailure(failure: DeliveryError): void;
  /**
   * A server that breaks off at one message, such as a filter of contents, must not hold up the others: if it has taken another
   * message since it first failed with this item, it is the item that fails.
   */
  isAboutMessage(item: { id: string }, failure: DeliveryError): boolean;
};

const maxRemembered = 1_000;

/** Logs when the server begins and ceases to fail, not each message that waits for it. @param name for the sentences of the log. */
export function watchServer(
  name: string,
  log: FastifyBaseLogger,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
): ServerHealth {
  let failures = 0;
  let pausedUntil = 0;
  let lastTakenAt = 0;
  /** By the id of an item: when the server first failed with it. */
  const failedAt = new BoundedMap<string, number>({ maxEntries: maxRemembered });
  const isPaused = () => Date.now() < pausedUntil;
  const pauseMs = () => retryDelay(failures, { firstMs, maxMs });

  return {
    isPaused,
    pauseMs,
    recordTaken() {
      lastTakenAt = Date.now();
      if (failures > 0) log.info(`the ${name} takes messages again`);
      failures = 0;
      pausedUntil = 0;
    },
    recordFailure({ code, notBefore = 0 }) {
      if (isPaused()) return;
      if (failures === 0) log.warn({ code }, `the ${name} takes no messages`);
      failures += 1;
      pausedUntil = Math.max(Date.now() + pauseMs(), notBefore);
    },
    isAboutMessage({ id }, { concerns }) {
      if (concerns !== 'server') return false;
      const before = failedAt.get(id);
      if (before !== undefined) return before < lastTakenAt;
      failedAt.set(id, Date.now());
      return false;
    },
  };
}
