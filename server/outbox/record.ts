/**
 * Records messages about orders in the outbox. The transaction that changes an order also records its messages, so neither exists without
 * the other (docs/decisions/0065). A message names its order: the sender reads the order's row.
 */

import type { MailKind } from '../../contract/desk/mail.ts';
import type { EventType } from '../../contract/desk/webhooks.ts';
import { newId } from '../database/ids.ts';
import type { Db, Tables } from '../database/tables.ts';

export type SenderName = Tables['outbox']['sender'];
export type Senders = Readonly<Record<SenderName, boolean>>;
export const noSenders: Senders = { mail: false, webhooks: false };

export type Outbox = {
  senders: Senders;
  wake(): void;
};

export const openOutbox = (
  mail: { mode: string; wake(): void },
  webhooks: { isOn: boolean; wake(): void },
): Outbox => ({
  get senders() {
    return { mail: mail.mode === 'sent', webhooks: webhooks.isOn };
  },
  wake() {
    mail.wake();
    webhooks.wake();
  },
});

const mail = (kind: MailKind) => ({ sender: 'mail' as const, kind });
const event = (kind: EventType) => ({ sender: 'webhooks' as const, kind });
const messages = {
  placed: [mail('receipt'), mail('notice'), event('order.placed')],
  sent: [event('order.sent')],
  paid: [event('order.paid')],
  refunded: [event('order.refunded')],
  cancelled: [mail('cancellation'), event('order.cancelled')],
  withdrawn: [mail('acknowledgement'), mail('withdrawal-notice'), event('order.withdrawn')],
};

/** @param db the transaction of the change. @param orders `at`: the time of the change, in milliseconds since 1970. */
export async function recordMessages(
  db: Db,
  change: keyof typeof messages,
  orders: readonly { id: string; at: number; senders: Senders }[],
): Promise<void> {
  const rows = orders.flatMap(({ id: order_id, at, senders }) =>
    messages[change]
      .filter(({ sender }) => senders[sender])
      .map((message) => ({ ...message, id: newId(), order_id, created_at: at, due_at: at })),
  );
  if (rows.length > 0) await db.insertInto('outbox').values(rows).execute();
}

export async function takeBackEvents(db: Db, kind: EventType, orderIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('sender', '=', 'webhooks')
    .where('kind', '=', kind)
    .where('order_id', 'in', orderIds)
    .where('due_at', 'is not', null)
    .execute();
}
