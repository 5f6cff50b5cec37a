/** Sends due messages in the background. Each sender has its own worker: a server that is down holds up nothing else. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Db, Tables } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { DeliveryError } from './delivery-error.ts';
import { type Claimed, claimDue, release } from './due.ts';
import type { SenderName } from './record.ts';

const minute = 60_000;
const defaultTimes = {
  /** The interval at which the worker looks for messages of other nodes, and for retries. */
  pollMs: 10_000,
  /** The pause before each round: in a rush, orders come first, and messages that arrive together are claimed together. */
  roundMs: 100,
  /** The length of a claim, after which another node may send the message. It is much longer than sending takes. */
  claimMs: 5 * minute,
  /** The wait after the first failure of a message or of its server. Each further failure doubles it. */
  firstRetryMs: 10_000,
  maxRetryMs: 15 * minute,
  closeMs: 3_000,
};
export type WorkerTimes = typeof defaultTimes;

const giveUpAfterMs = 3 * 24 * 60 * minute;
const sentAtOnce = 5;

type Sender<Kind extends Tables['outbox']['kind']> = {
  name: SenderName;
  server: string;
  /** Sends a message. @returns false if it is kept back until the owner asks for it. @throws {DeliveryError} */
  send(message: Claimed<Kind>): Promise<boolean>;
  breakOff(): void;
};

/** Counts since the start of this node. `failed` counts attempts, the others messages. */
export type Counts = { sent: number; failed: number; givenUp: number };
export const noCounts: Readonly<Counts> = { sent: 0, failed: 0, givenUp: 0 };

export type Worker = {
  counts: Readonly<Counts>;
  wake(): void;
  /** Waits some seconds for messages that are being sent. The next start sends the rest. */
  close(): Promise<void>;
};

export type WorkerParts = { db: Db; log: FastifyBaseLogger; times?: Partial<WorkerTimes> };

export function openWorker<Kind extends Tables['outbox']['kind']>(
  { name, server, send, breakOff }: Sender<Kind>,
  { db, log, times }: WorkerParts,
): Worker {
  const { pollMs, roundMs, claimMs, firstRetryMs, maxRetryMs, closeMs } = { ...defaultTimes, ...times };
  const counts = { ...noCounts };
  let serverFailures = 0;
  let pausedUntil = 0;
  let isClosing = false;
  let isAwake = false;
  let running: Promise<void> | undefined;

  const wake = () => {
    isAwake = true;
    running ??= work()
      .catch(reportError)
      .finally(() => {
        running = undefined;
      });
  };

  async function work(): Promise<void> {
    while (isAwake && !isClosing && Date.now() >= pausedUntil) {
      isAwake = false;
      await pause(roundMs, undefined, { ref: false });
      const claimed = await claimDue<Kind>(db, name, { now: Date.now(), claimMs, limit: sentAtOnce });
      if (claimed.length > 0) isAwake = true;
      await Promise.all(claimed.map((message) => handle(message).catch(reportError)));
    }
  }

  /** A result that could not be stored leaves the claim to end by itself; then the message is sent again. */
  function reportError(error: unknown): void {
    // The log already has an outage of the database, with the requests that failed.
    if (!isUnavailable(error)) log.error({ err: error }, `${name} that is due could not be sent`);
  }

  async function handle(message: Claimed<Kind>): Promise<void> {
    try {
      const isSent = await send(message);
      if (isSent) recordTaken();
      const done_at = isSent ? Date.now() : null;
      await release(db, message, { due_at: null, attempts: message.attempts + 1, error: null, done_at });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      await recordFailure(message, error);
    }
  }

  function recordTaken(): void {
    counts.sent += 1;
    if (serverFailures > 0) log.info(`the ${server} takes messages again`);
    serverFailures = 0;
    pausedUntil = 0;
  }

  async function recordFailure(message: Claimed, failure: DeliveryError): Promise<void> {
    const { concerns, code, message: error, notBefore } = failure;
    const now = Date.now();
    const isTried = concerns !== 'limit';
    if (isTried) counts.failed += 1;
    if (concerns === 'server' && now >= pausedUntil) {
      if (serverFailures === 0) log.warn({ code }, `the ${server} takes no messages`);
      serverFailures += 1;
      pausedUntil = Math.max(notBefore, now + waitMs(serverFailures));
    }
    const attempts = message.attempts + (isTried ? 1 : 0);
    const nextAt = Math.max(notBefore, now + waitMs(attempts));
    const isGivenUp = concerns === 'message' || nextAt > message.createdAt + giveUpAfterMs;
    if (isGivenUp) {
      counts.givenUp += 1;
      const { id, kind, orderId: order } = message;
      log.warn({ id, kind, order, code }, `gave up a message of the ${name}`);
    }
    await release(db, message, { due_at: isGivenUp ? null : nextAt, attempts, error });
  }

  /** A random delay of up to a quarter: shops that lost one server together should not return together. */
  function waitMs(failures: number): number {
    const wait = Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1));
    return Math.round(wait * (1 + Math.random() / 4));
  }

  const timer = setInterval(wake, pollMs);
  wake();
  return {
    counts,
    wake,
    async close() {
      isClosing = true;
      clearInterval(timer);
      const timeout = setTimeout(breakOff, closeMs);
      await running;
      clearTimeout(timeout);
      breakOff();
    },
  };
}
