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

/** @param afterMs when the message is due, after its change. */
const mail = (kind: MailKind, afterMs = 0) => ({ sender: 'mail' as const, kind, afterMs });
const event = (kind: EventType) => ({ sender: 'webhooks' as const, kind, afterMs: 0 });
/** The time for Undo: the buyer hears nothing of a mark that is taken back within it. */
const undoMs = 60_000;
const messages = {
  placed: [mail('receipt'), mail('notice'), event('order.placed')],
  sent: [mail('dispatch', undoMs), event('order.sent')],
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
      .map(({ sender, kind, afterMs }) => {
        const due_at = at + afterMs;
        return { sender, kind, id: newId(), order_id, created_at: at, due_at };
      }),
  );
  if (rows.length > 0) await db.insertInto('outbox').values(rows).execute();
}

/** Removes the messages of a change that was taken back, but for those that were sent. */
export async function takeBack(
  db: Db,
  change: keyof typeof messages,
  orderIds: readonly string[],
): Promise<void> {
  const kinds = messages[change].map(({ kind }) => kind);
  await db
    .deleteFrom('outbox')
    .where('kind', 'in', kinds)
    .where('order_id', 'in', orderIds)
    .where('done_at', 'is', null)
    .execute();
}
