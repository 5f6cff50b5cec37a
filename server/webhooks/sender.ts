/** Sends webhooks in the background: no order and no mail waits for them (https://www.standardwebhooks.com). */

import type { FastifyBaseLogger } from 'fastify';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { findDeskOrder } from '../orders/desk-orders.ts';
import { DeliveryError } from '../outbox/delivery-error.ts';
import { retryDelay, watchServer } from '../outbox/server-health.ts';
import { openWorker, type RetryTimes, type Worker, type WorkerTimes } from '../outbox/worker.ts';
import { type Endpoint, goneCode } from './endpoint.ts';
import { type ClaimedEvent, claimDueEvents, recordAttempt, type WebhookEvent } from './events.ts';

/** Since the start of this node: events that were delivered, attempts that failed, events that were given up. */
type WebhookCounts = { delivered: number; failed: number; givenUp: number };

export type Webhooks = {
  /** Events are recorded and sent. */
  isOn: boolean;
  counts: Readonly<WebhookCounts>;
  /** Call it when an event was recorded. It returns at once. */
  wake(): void;
};

export type WebhookSender = Webhooks & Pick<Worker, 'close'>;

/** A store without `WEBHOOK_URL`. */
export const noWebhooks: WebhookSender = {
  isOn: false,
  counts: { delivered: 0, failed: 0, givenUp: 0 },
  wake() {},
  async close() {},
};

export type WebhookTimes = WorkerTimes &
  RetryTimes & {
    /** How long a receiver that wants no more events gets none. */
    goneMs: number;
  };

const minute = 60_000;
const webhookTimes: WebhookTimes = {
  pollMs: 10_000,
  roundMs: 250,
  // Twenty events, five at a time, each of which an endpoint gives up after 15 seconds, and a database that hesitates.
  claimMs: 3 * minute,
  firstRetryMs: 5_000,
  maxRetryMs: 60 * minute,
  maxPauseMs: 5 * minute,
  giveUpAfterMs: 3 * 24 * 60 * minute,
  goneMs: 60 * minute,
  closeMs: 3_000,
};

type WebhookSenderParts = {
  db: Db;
  endpoint: Endpoint;
  log: FastifyBaseLogger;
  times?: Partial<WebhookTimes>;
};

/** Sends what is due, now and from now on. Several nodes share the work, and one of them sends an event. */
export function openWebhookSender({
  db,
  endpoint,
  log,
  times: otherTimes,
}: WebhookSenderParts): WebhookSender {
  const times = { ...webhookTimes, ...otherTimes };
  const counts: WebhookCounts = { delivered: 0, failed: 0, givenUp: 0 };
  const server = watchServer('receiver of webhooks', log, {
    firstMs: times.firstRetryMs,
    maxMs: times.maxPauseMs,
  });
  let gone: { error: DeliveryError; until: number } | undefined;

  const sendEvent = async (event: ClaimedEvent): Promise<void> => {
    if (worker.isClosing() || server.isPaused()) {
      await recordAttempt(db, event, { due_at: Date.now() + (worker.isClosing() ? 0 : server.pauseMs()) });
      return;
    }
    const failure = await trySending(event);
    if (!failure) {
      await recordAttempt(db, event, { due_at: null, error: null, delivered_at: Date.now() });
      return;
    }
    const dueAt = nextAttempt(event, failure);
    if (dueAt === null) {
      counts.givenUp += 1;
      log.warn({ event: event.id, code: failure.code }, 'gave up a webhook');
    }
    await recordAttempt(db, event, { due_at: dueAt, error: failure.message });
  };

  const trySending = async (event: ClaimedEvent): Promise<DeliveryError | undefined> => {
    if (gone && Date.now() < gone.until) return gone.error;
    const order = await findDeskOrder(db, event.orderId);
    event.attempts += 1;
    try {
      await endpoint.send({ id: event.id, body: JSON.stringify(messageOf(event, order)) });
      server.recordTaken();
      counts.delivered += 1;
      return undefined;
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      counts.failed += 1;
      if (error.code === goneCode) gone = { error, until: Date.now() + times.goneMs };
      const failure = server.isAboutMessage(event, error) ? error.asLater() : error;
      if (failure.concerns === 'server' && !worker.isClosing()) server.recordFailure(failure);
      return failure;
    }
  };

  /** @returns when to try again, in milliseconds since 1970; null for an event to give up. */
  const nextAttempt = ({ createdAt, attempts }: WebhookEvent, { concerns }: DeliveryError): number | null => {
    const now = Date.now();
    if (now > createdAt + times.giveUpAfterMs || concerns === 'message') return null;
    if (worker.isClosing()) return now;
    const { firstRetryMs: firstMs, maxRetryMs: maxMs } = times;
    const delay = concerns === 'server' ? server.pauseMs() : retryDelay(attempts, { firstMs, maxMs });
    // Shops that lost one receiver together do not come back together.
    return Math.round(now + delay * (1 + Math.random() / 4));
  };

  const worker = openWorker({
    name: 'webhooks',
    claimDue: (claim) => claimDueEvents(db, claim),
    send: sendEvent,
    isPaused: server.isPaused,
    breakOff: endpoint.close,
    times,
    log,
  });
  return { isOn: true, counts, ...worker };
}

/** The fields of an order that an event has (docs/webhooks.md). The owner's note is for the desk alone. */
const toldFields = [
  '_id',
  'title',
  'author',
  'price',
  'bookId',
  'time',
  'placedAt',
  'state',
  'sentAt',
  'deliveryAddress',
  'addressCorrectedAt',
  'withdrawnAt',
  'withdrawnBy',
  'withdrawalReason',
  'refundedAt',
  'returnedAt',
  'buyer',
] as const satisfies (keyof DeskOrder)[];

/**
 * The order is as its row is now: an address that was corrected before the event is sent is the one to send the book to, and of an
 * erased customer there is nothing. Only its state is that of the event.
 */
const messageOf = ({ type, createdAt }: WebhookEvent, order: DeskOrder) => ({
  type,
  timestamp: timeText(createdAt),
  data: {
    ...Object.fromEntries(toldFields.map((field) => [field, order[field]])),
    ...stateAfter[type](timeText(createdAt)),
  },
});

const stateAfter: Readonly<Record<WebhookEvent['type'], (at: string) => Partial<DeskOrder>>> = {
  'order.placed': () => ({ ...notWithdrawn, state: 'new', sentAt: null }),
  'order.sent': (sentAt) => ({ ...notWithdrawn, state: 'sent', sentAt }),
  'order.withdrawn': () => ({ state: 'withdrawn' }),
};
const notWithdrawn = {
  withdrawnAt: null,
  withdrawnBy: null,
  withdrawalReason: null,
  refundedAt: null,
  returnedAt: null,
} satisfies Partial<DeskOrder>;
