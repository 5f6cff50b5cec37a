/**
 * Erases a customer. The orders keep the book, the price and the day, for the shop's accounts; all personal data goes from every table. The
 * erasure takes several transactions, because a customer may have any number of orders. The first one ends the sessions and marks the
 * customer. The hourly sweep, and the next start, finish the erasure of marked customers after a crash.
 */

import { type Actor, recordActivity } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import { firstIdAt } from '../database/ids.ts';
import { sweepBatchSize } from '../database/sweep.ts';
import type { Db } from '../database/tables.ts';
import { missing } from '../http/problems.ts';
import { endSessionsOfCustomer } from '../sign-in/sessions.ts';

/** Longer than any request takes: the sweep looks for orders of requests that began before the sessions ended. */
const lateOrdersMs = 10 * 60 * 1000;
const sweptMs = 24 * 60 * 60 * 1000;

/** Erases a customer, durably. A repeated call finishes what a crash left. @returns how many orders lost the person. */
export async function eraseCustomer(db: Db, id: string, actor: Actor): Promise<number> {
  const erasedAt = await db.transaction().execute(async (db) => {
    // The customer's row is locked first, as in a block: a sign-in or an order in progress is either stored by then, or finds the mark.
    // The update of orders below would not wait for an order in progress.
    const customers = db.selectFrom('customers').select('erased_at').where('id', '=', id);
    const locked = engineOf(db).lockedInOrder(customers);
    const { erased_at: earlier } = await locked.executeTakeFirstOrThrow(missing('CUSTOMER_NOT_FOUND'));
    if (earlier !== null) return earlier;
    const erased_at = Date.now();
    await db.updateTable('customers').set({ erased_at }).where('id', '=', id).execute();
    await endSessionsOfCustomer(db, id);
    await recordActivity(db, 'customer-erased', actor, { subject: id });
    return erased_at;
  });
  const orders = await finishErasure(db, { id, erasedAt });
  await engineOf(db).forgetDeletedText(db);
  return orders;
}

/** Finishes erasures that a crash has interrupted, and erases late orders. @param now in milliseconds since 1970. */
export async function sweepErasures(db: Db, now = Date.now()): Promise<void> {
  const customers = await db
    .selectFrom('customers')
    .select(['id', 'erased_at', 'email'])
    .where('erased_at', 'is not', null)
    .where(({ or, eb }) => or([eb('erased_at', '>', now - sweptMs), eb('email', '!=', '')]))
    .execute();
  for (const { id, erased_at: erasedAt, email } of customers) {
    if (erasedAt === null) continue;
    if (email === '') {
      // Requests that began before the sessions ended may have stored something since.
      await eraseActor(db, id);
      await eraseLateOrders(db, { id, erasedAt });
    } else await finishErasure(db, { id, erasedAt });
  }
  if (customers.length > 0) await engineOf(db).forgetDeletedText(db);
}

type Erased = { id: string; erasedAt: number };

/** Removes the person from all tables, last from the customer's row, by which the sweep finds it. @returns how many orders lost the person. */
async function finishErasure(db: Db, erased: Erased): Promise<number> {
  const { id } = erased;
  await eraseActor(db, id);
  let orders = await eraseOrders(db, id, '');
  orders += await eraseLateOrders(db, erased);
  // The row gets another issuer and subject: a later sign-in of the same person makes a new customer.
  await db
    .updateTable('customers')
    .set({ issuer: '', sub: id, email: '', is_email_verified: 0, name: '', photo: '', blocked_at: null })
    .where('id', '=', id)
    .execute();
  return orders;
}

const eraseLateOrders = (db: Db, { id, erasedAt }: Erased): Promise<number> =>
  eraseOrders(db, id, firstIdAt(erasedAt - lateOrdersMs));

/** Works page by page: one statement for all orders would hold up every other write. @returns how many orders had the person. */
async function eraseOrders(db: Db, customerId: string, fromId: string): Promise<number> {
  let erased = 0;
  let after = fromId;
  for (;;) {
    const own = db.selectFrom('orders').select('id').where('customer_id', '=', customerId);
    const rest = own.where('id', '>', after);
    const last = (await rest.orderBy('id').limit(sweepBatchSize).execute()).at(-1)?.id;
    if (last === undefined) return erased;
    const orders = rest
      .where('id', '<=', last)
      .where(({ or, eb }) => or([eb('buyer_email', '!=', ''), eb('buyer_name', '!=', '')]));
    // The outbox comes first: after a crash its messages are found by the orders that still have the person.
    await db.deleteFrom('outbox').where('order_id', 'in', orders).execute();
    const { numUpdatedRows } = await db
      .updateTable('orders')
      .set({
        buyer_name: '',
        buyer_email: '',
        idempotency_key: null,
        request_hash: null,
        delivery_address: null,
        address_corrected_at: null,
        withdrawal_reason: null,
        note: null,
        gift: null,
        tracking: null,
      })
      .where('id', 'in', orders)
      .executeTakeFirstOrThrow();
    erased += Number(numUpdatedRows);
    after = last;
  }
}

/** The trail keeps the acts of an admin, with only the id. */
async function eraseActor(db: Db, customerId: string): Promise<void> {
  let erased: bigint;
  do {
    ({ numUpdatedRows: erased } = await db
      .updateTable('activity')
      .set({ customer_email: null, address: null })
      .where('seq', 'in', ({ selectFrom }) =>
        selectFrom('activity')
          .select('seq')
          .where('customer_id', '=', customerId)
          .where(({ or, eb }) => or([eb('customer_email', 'is not', null), eb('address', 'is not', null)]))
          .limit(sweepBatchSize),
      )
      .executeTakeFirstOrThrow());
  } while (erased >= sweepBatchSize);
}
