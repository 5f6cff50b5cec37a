/** At most ten receipts an hour for a customer: an order makes the shop write to its buyer, and a customer may place hundreds. */

import type { Db } from '../database/tables.ts';
import type { Claimed } from '../outbox/due.ts';
import type { MailedOrder } from './order-mail.ts';

const receiptsInAnHour = 10;
const hourMs = 60 * 60_000;

/** @returns when the customer may get the receipt; undefined if now. */
export async function turnOfReceipt(
  db: Db,
  { id }: Claimed,
  { customerId, isVerified }: Pick<MailedOrder, 'customerId' | 'isVerified'>,
): Promise<number | undefined> {
  const now = Date.now();
  const { count, first } = await db
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('done_at').as('first')])
    .where('customer_id', '=', customerId)
    // The law demands acknowledgements at once, so the limit only covers those to unverified addresses, which may be another person's.
    .where('kind', 'in', isVerified === 1 ? ['receipt'] : ['receipt', 'dispatch', 'acknowledgement'])
    .where(({ and, or, eb }) =>
      or([
        eb('done_at', '>', now - hourMs),
        // Messages before this one: each waits for its turn, or a node is sending it.
        and([eb('due_at', 'is not', null), eb('outbox.id', '<', id)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  const hours = Math.floor(Number(count) / receiptsInAnHour);
  // Each message gets its own time: if a flood became due together, it would hold up everyone's mail once an hour.
  return hours === 0 ? undefined : (first ?? now) + hours * hourMs;
}
