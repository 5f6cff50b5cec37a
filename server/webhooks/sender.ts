/** Sends webhooks in the background: orders and mail do not wait for them (https://www.standardwebhooks.com). */

import type { EventType } from '../../contract/desk/webhooks.ts';
import { timeText } from '../database/times.ts';
import { findDeskOrder } from '../orders/desk-orders.ts';
import type { Claimed } from '../outbox/due.ts';
import { noCounts, openWorker, type Worker, type WorkerParts } from '../outbox/worker.ts';
import type { Endpoint } from './endpoint.ts';

export type Webhooks = Worker & { isOn: boolean };

export const noWebhooks: Webhooks = { isOn: false, counts: noCounts, wake() {}, async close() {} };

export function openWebhookSender({ endpoint, ...parts }: WorkerParts & { endpoint: Endpoint }): Webhooks {
  /** The order has its row's current values, without an erased customer's data. The owner's note is for the desk (docs/mail-and-webhooks.md). */
  async function send({ id, kind: type, orderId, createdAt }: Claimed<EventType>): Promise<boolean> {
    const { note: _, ...data } = await findDeskOrder(parts.db, orderId);
    await endpoint.send({ id, body: JSON.stringify({ type, timestamp: timeText(createdAt), data }) });
    return true;
  }

  const server = 'receiver of webhooks';
  return {
    isOn: true,
    ...openWorker({ name: 'webhooks', server, send, breakOff: endpoint.close }, parts),
  };
}
