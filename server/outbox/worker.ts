/** Sends in the background what is due in an outbox. The request that makes something due never waits for it. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { isUnavailable } from '../database/unavailable.ts';

/** In milliseconds. */
export type WorkerTimes = {
  /** How often the outbox is read without a call of `wake`: for what other nodes have made due, and for retries. */
  pollMs: number;
  /** The pause after each round: in a rush, orders come first. */
  roundMs: number;
  /** How long a node may take for what it has claimed. After that another one may send it. */
  claimMs: number;
  closeMs: number;
};

/** The times that decide when a failed attempt is repeated, in milliseconds. */
export type RetryTimes = {
  /** The wait after the first failure; each further one doubles it. */
  firstRetryMs: number;
  maxRetryMs: number;
  /** The same, while the server itself fails: a message comes at most so late once it is back. */
  maxPauseMs: number;
  giveUpAfterMs: number;
};

const claimedAtOnce = 20;
const sentAtOnce = 5;

export type Claim = { now: number; claimMs: number; limit: number; isNewestFirst: boolean };

type WorkerParts<Claimed> = {
  /** Its name in the sentences of the log. */
  name: string;
  claimDue(claim: Claim): Promise<Claimed[]>;
  /** Handles the failures that it expects. After any other one the claim ends by itself, and the item is sent again. */
  send(claimed: Claimed): Promise<void>;
  isPaused(): boolean;
  /** Breaks off what is being sent. */
  breakOff(): void;
  times: WorkerTimes;
  log: FastifyBaseLogger;
};

export type Worker = {
  /** Call it when something has become due. It returns at once. */
  wake(): void;
  isClosing(): boolean;
  /** Ends what is being sent, after a few seconds by force. The next start sends what is left. */
  close(): Promise<void>;
};

/** Sends what is due, now and from now on. Several nodes share the work. */
export function openWorker<Claimed extends { id: string }>({
  name,
  claimDue,
  send,
  isPaused,
  breakOff,
  times: { pollMs, roundMs, claimMs, closeMs },
  log,
}: WorkerParts<Claimed>): Worker {
  let isClosing = false;
  let isAwake = false;
  let running: Promise<void> | undefined;

  const wake = () => {
    isAwake = true;
    if (running || isClosing) return;
    running = work().finally(() => {
      running = undefined;
      if (isAwake && !isClosing && !isPaused()) wake();
    });
  };

  const work = async (): Promise<void> => {
    for (let round = 0; !isClosing && !isPaused(); round += 1) {
      isAwake = false;
      // Those that arrive together are claimed together.
      await pause(roundMs, undefined, { ref: false });
      const claimed = await claimDue({
        now: Date.now(),
        claimMs,
        limit: claimedAtOnce,
        // In turn with the oldest: an order does not wait for thousands before it, such as those of one customer.
        isNewestFirst: round % 2 === 1,
      }).catch(reportDatabase);
      if (claimed.length === 0) return;
      const rest = claimed.values();
      const sendRest = async () => {
        for (const item of rest) await send(item).catch((error: unknown) => report(error, item));
      };
      await Promise.all(Array.from({ length: sentAtOnce }, sendRest));
    }
  };

  /** The next poll tries again. An outage of the database is in the log already, with the requests that it fails. */
  const reportDatabase = (error: unknown): Claimed[] => {
    if (!isUnavailable(error)) log.error({ err: error }, `the ${name} that is due could not be read`);
    return [];
  };
  const report = (error: unknown, { id }: Claimed): void => {
    if (!isUnavailable(error)) log.error({ err: error, id }, `a part of the ${name} could not be sent`);
  };

  const timer = setInterval(wake, pollMs);
  wake();
  return {
    wake,
    isClosing: () => isClosing,
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
