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

/** @param waitMs the time from the change until the message is due. */
const mail = (kind: MailKind, waitMs = 0) => ({ sender: 'mail' as const, kind, waitMs });
const event = (kind: EventType) => ({ sender: 'webhooks' as const, kind, waitMs: 0 });
/** The time for Undo: a mark that is taken back within it sends no mail. */
const undoMs = 60_000;
const messages = {
  placed: [mail('receipt'), mail('notice'), event('order.placed')],
  sent: [mail('dispatch', undoMs), event('order.sent')],
  paid: [event('order.paid')],
  refunded: [event('order.refunded')],
  cancelled: [mail('cancellation'), event('order.cancelled')],
  withdrawn: [mail('acknowledgement'), mail('withdrawal-notice'), event('order.withdrawn')],
};
type Change = keyof typeof messages;

/** @param db the transaction of the change. @param orders `at`: the time of the change, in milliseconds since 1970. */
export async function recordMessages(
  db: Db,
  change: Change,
  orders: readonly { id: string; at: number; senders: Senders }[],
): Promise<void> {
  const rows = orders.flatMap(({ id: order_id, at, senders }) =>
    messages[change]
      .filter(({ sender }) => senders[sender])
      .map(({ waitMs, ...row }) => ({ ...row, id: newId(), order_id, created_at: at, due_at: at + waitMs })),
  );
  if (rows.length > 0) await db.insertInto('outbox').values(rows).execute();
}

/** Removes the messages of a change that was taken back, but for those that were sent. */
export async function takeBackMessages(db: Db, change: Change, orderIds: readonly string[]): Promise<void> {
  const kinds = messages[change].map(({ kind }) => kind);
  await db
    .deleteFrom('outbox')
    .where('kind', 'in', kinds)
    .where('order_id', 'in', orderIds)
    .where('done_at', 'is', null)
    .execute();
}
