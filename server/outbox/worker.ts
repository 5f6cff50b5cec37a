/** Sends in the background what is due. Each sender has a worker of its own: a server that is away holds up nothing else. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Db, Tables } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { DeliveryError } from './delivery-error.ts';
import { type Claimed, claimDue, release } from './due.ts';
import type { SenderName } from './record.ts';
import { retryDelay, watchServer } from './server-health.ts';

/** In milliseconds. */
export type WorkerTimes = {
  /** For what other nodes have made due, and for retries. */
  pollMs: number;
  /** The pause after each round: in a rush, orders come first. */
  roundMs: number;
  /** After it another node may send what this one has claimed. In its second half nothing is begun. */
  claimMs: number;
  firstRetryMs: number;
  maxRetryMs: number;
  /** While the server itself fails: a message comes at most so late once it is back. */
  maxPauseMs: number;
  giveUpAfterMs: number;
  closeMs: number;
};

const minute = 60_000;
const defaultTimes = {
  ...{ pollMs: 10_000, roundMs: 250, closeMs: 3_000 },
  ...{ maxRetryMs: 60 * minute, maxPauseMs: 5 * minute, giveUpAfterMs: 3 * 24 * 60 * minute },
};

const claimedAtOnce = 20;
const sentAtOnce = 5;
const storeRetryMs = 1_000;

type Sender<Kind extends Tables['outbox']['kind']> = {
  name: SenderName;
  server: string;
  /** @returns false: it is kept back until the owner asks for it. @throws {DeliveryError} */
  send(message: Claimed<Kind>): Promise<boolean>;
  breakOff(): void;
  /** Every other round, so that a message does not wait for thousands of one customer. Events rather come in their order. */
  takesNewest: boolean;
  /** How much longer a retry may wait, by chance: shops that lost one server together do not come back together. */
  spread: number;
  times: Pick<WorkerTimes, 'claimMs' | 'firstRetryMs'> & Partial<WorkerTimes>;
};

/** Since the start of this node. `failed` counts attempts, the others messages. */
export type Counts = { sent: number; failed: number; givenUp: number };
export const noCounts: Readonly<Counts> = { sent: 0, failed: 0, givenUp: 0 };

export type Worker = {
  counts: Readonly<Counts>;
  wake(): void;
  /** Waits for what is being sent, for a few seconds. The next start sends what is left. */
  close(): Promise<void>;
};

export function openWorker<Kind extends Tables['outbox']['kind']>(
  { name, server: serverName, send, breakOff, takesNewest, spread, times: given }: Sender<Kind>,
  { db, log }: { db: Db; log: FastifyBaseLogger },
): Worker {
  const times = { ...defaultTimes, ...given };
  const { claimMs } = times;
  const counts = { ...noCounts };
  const server = watchServer(serverName, log, { firstMs: times.firstRetryMs, maxMs: times.maxPauseMs });
  let isClosing = false;
  let isAwake = false;
  let running: Promise<void> | undefined;

  const wake = () => {
    isAwake = true;
    if (running || isClosing) return;
    running = work().finally(() => {
      running = undefined;
      if (isAwake && !isClosing && !server.isPaused()) wake();
    });
  };

  const work = async (): Promise<void> => {
    for (let round = 0; !isClosing && !server.isPaused(); round += 1) {
      isAwake = false;
      // Those that arrive together are claimed together.
      await pause(times.roundMs, undefined, { ref: false });
      const isNewestFirst = takesNewest && round % 2 === 1;
      const claim = { now: Date.now(), claimMs, limit: claimedAtOnce, isNewestFirst };
      const claimed = await claimDue<Kind>(db, name, claim).catch((error: unknown) => {
        report(error, `the ${name} that is due could not be read`);
        return [];
      });
      if (claimed.length === 0) return;
      const rest = claimed.values();
      const handleRest = async () => {
        for (const message of rest) {
          // Its claim ends by itself, and it is sent again.
          await handle(message).catch((error: unknown) =>
            report(error, `a part of the ${name} could not be sent`, message.id),
          );
        }
      };
      await Promise.all(Array.from({ length: sentAtOnce }, handleRest));
    }
  };

  // An outage of the database is in the log already, with the requests that it fails.
  const report = (error: unknown, sentence: string, id?: string): void => {
    if (!isUnavailable(error)) log.error({ err: error, id }, sentence);
  };

  const handle = async (message: Claimed<Kind>): Promise<void> => {
    const now = Date.now();
    if (isClosing || server.isPaused() || now > message.claimedUntil - claimMs / 2) {
      await release(db, message, { due_at: now + (isClosing || !server.isPaused() ? 0 : server.pauseMs()) });
      return;
    }
    try {
      const isSent = await send(message);
      if (isSent) {
        counts.sent += 1;
        server.recordTaken();
      }
      const attempts = message.attempts + 1;
      await store(message, { due_at: null, attempts, error: null, done_at: isSent ? Date.now() : null });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      await recordFailure(message, error);
    }
  };

  /** While the claim holds, a database that is away is asked again, so that a message is not sent twice. */
  const store = async (message: Claimed, changes: Parameters<typeof release>[2]): Promise<void> => {
    for (;;) {
      try {
        await release(db, message, changes);
        return;
      } catch (error) {
        const isHopeless = isClosing || Date.now() + storeRetryMs > message.claimedUntil;
        if (!isUnavailable(error) || isHopeless) throw error;
        await pause(storeRetryMs, undefined, { ref: false });
      }
    }
  };

  const recordFailure = async (message: Claimed, error: DeliveryError): Promise<void> => {
    if (error.wasTried) counts.failed += 1;
    const attempts = message.attempts + (error.wasTried ? 1 : 0);
    const failure = server.isAboutMessage(message, error) ? error.as('later') : error;
    if (failure.concerns === 'server' && !isClosing) server.recordFailure(failure);
    const due_at = nextAttempt({ ...message, attempts }, failure);
    if (due_at === null) {
      counts.givenUp += 1;
      const { id, kind, orderId: order } = message;
      log.warn({ id, kind, order, code: failure.code }, `gave up a message of the ${name}`);
    }
    // What the server did not take does not count for its address.
    await release(db, message, { due_at, attempts, error: failure.message, address_hash: null });
  };

  const nextAttempt = (
    { createdAt, attempts }: Claimed,
    { concerns, notBefore = 0 }: DeliveryError,
  ): number | null => {
    const now = Date.now();
    if (now > createdAt + times.giveUpAfterMs || concerns === 'message') return null;
    if (isClosing) return now;
    if (concerns === 'limit') return notBefore;
    const { firstRetryMs: firstMs, maxRetryMs: maxMs } = times;
    const delay = concerns === 'server' ? server.pauseMs() : retryDelay(attempts, { firstMs, maxMs });
    return Math.round(now + delay * (1 + Math.random() * spread));
  };

  const timer = setInterval(wake, times.pollMs);
  wake();
  return {
    counts,
    wake,
    async close() {
      isClosing = true;
      clearInterval(timer);
      const timeout = setTimeout(breakOff, times.closeMs);
      await running;
      clearTimeout(timeout);
      breakOff();
    },
  };
}
