/** Sends webhooks in the background: no order and no mail waits for them (https://www.standardwebhooks.com). */

import type { FastifyBaseLogger } from 'fastify';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import type { EventType } from '../../contract/desk/webhooks.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { findDeskOrder } from '../orders/desk-orders.ts';
import { DeliveryError } from '../outbox/delivery-error.ts';
import type { Claimed } from '../outbox/due.ts';
import { type Counts, noCounts, openWorker, type Worker, type WorkerTimes } from '../outbox/worker.ts';
import { type Endpoint, goneCode } from './endpoint.ts';

export type Webhooks = {
  isOn: boolean;
  counts: Readonly<Counts>;
  wake(): void;
};

export type WebhookSender = Webhooks & Pick<Worker, 'close'>;

export const noWebhooks: WebhookSender = { isOn: false, counts: noCounts, wake() {}, async close() {} };

const minute = 60_000;
// Twenty events, five at a time, each of which an endpoint gives up after 15 seconds.
const webhookTimes = { claimMs: 3 * minute, firstRetryMs: 5_000 };
const goneMs = 60 * minute;

type WebhookSenderParts = {
  db: Db;
  endpoint: Endpoint;
  log: FastifyBaseLogger;
  times?: Partial<WorkerTimes>;
};

export function openWebhookSender({ db, endpoint, log, times }: WebhookSenderParts): WebhookSender {
  let gone: { error: DeliveryError; until: number } | undefined;

  const send = async (event: Claimed<EventType>): Promise<boolean> => {
    if (gone && Date.now() < gone.until) throw gone.error;
    const order = await findDeskOrder(db, event.orderId);
    try {
      await endpoint.send({ id: event.id, body: JSON.stringify(messageOf(event, order)) });
    } catch (error) {
      if (error instanceof DeliveryError && error.code === goneCode) {
        gone = { error: error.as('message', { wasTried: false }), until: Date.now() + goneMs };
      }
      throw error;
    }
    return true;
  };

  const worker = openWorker<EventType>(
    {
      ...{ name: 'webhooks', server: 'receiver of webhooks', send, breakOff: endpoint.close },
      ...{ takesNewest: false, spread: 1 / 4, times: { ...webhookTimes, ...times } },
    },
    { db, log },
  );
  return { isOn: true, ...worker };
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
const messageOf = ({ kind: type, createdAt }: Claimed<EventType>, order: DeskOrder) => ({
  type,
  timestamp: timeText(createdAt),
  data: {
    ...Object.fromEntries(toldFields.map((field) => [field, order[field]])),
    ...stateAfter[type](timeText(createdAt)),
  },
});

const stateAfter: Readonly<Record<EventType, (at: string) => Partial<DeskOrder>>> = {
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
