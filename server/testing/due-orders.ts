import type { Db } from '../database/tables.ts';

/** Makes these the only orders, each with a mail and a webhook that are due. */
export async function addDueOrders(db: Db, ids: readonly string[], now: number): Promise<void> {
  for (const table of ['webhook_events', 'receipt_slots', 'orders', 'customers'] as const)
    await db.deleteFrom(table).execute();
  const person = { email: 'jane@example.org', name: 'Jane', photo: '' };
  const customer = { id: 'jane', issuer: '', sub: '', created_at: now, is_email_verified: 1, ...person };
  await db.insertInto('customers').values(customer).execute();
  const book = { book_id: 'b', title: 'Emma', author: 'Jane Austen', price_cents: 1, time: '' };
  const buyer = { customer_id: 'jane', buyer_name: 'Jane', buyer_email: person.email };
  await db
    .insertInto('orders')
    .values(ids.map((id) => ({ id, ...book, ...buyer, placed_at: now, mail_due_at: now })))
    .execute();
  const event = { type: 'order.placed' as const, customer_id: 'jane', created_at: now, due_at: now };
  await db
    .insertInto('webhook_events')
    .values(ids.map((id) => ({ id, order_id: id, ...event })))
    .execute();
}
