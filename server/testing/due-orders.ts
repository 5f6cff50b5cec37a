import type { Db } from '../database/tables.ts';
import { newOrderNumber } from '../orders/order-number.ts';
import { recordMessages } from '../outbox/record.ts';

/** Makes these orders the only ones, each with a receipt, a notice and a webhook that are due. */
export async function addDueOrders(db: Db, ids: readonly string[], now: number): Promise<void> {
  for (const table of ['outbox', 'orders', 'customers'] as const) await db.deleteFrom(table).execute();
  const person = { email: 'jane@example.org', name: 'Jane', photo: '' };
  const customer = { id: 'jane', issuer: '', sub: '', created_at: now, is_email_verified: 1, ...person };
  await db.insertInto('customers').values(customer).execute();
  const book = { book_id: 'b', title: 'Emma', author: 'Jane Austen', price_cents: 1, time: '' };
  const buyer = { customer_id: 'jane', buyer_name: 'Jane', buyer_email: person.email };
  await db
    .insertInto('orders')
    .values(ids.map((id) => ({ id, number: newOrderNumber(), ...book, ...buyer, placed_at: now })))
    .execute();
  const senders = { mail: true, webhooks: true };
  await recordMessages(
    db,
    'placed',
    ids.map((id) => ({ id, at: now, senders })),
  );
}
