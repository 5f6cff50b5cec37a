/** One order on the desk: what became of it, and the owner's note. */

import { tidyAddress as tidyLines } from '../../contract/delivery-address.ts';
import type { DeskOrder, OrderWithHistory } from '../../contract/desk/orders.ts';
import { type Actor, listHistory, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { findDeskOrder } from './desk-orders.ts';

/** @throws {Problem} ORDER_NOT_FOUND. */
export async function findOrderWithHistory(db: Db, id: string): Promise<OrderWithHistory> {
  const order = await findDeskOrder(db, id);
  return { order, history: await listHistory(db, order._id, Date.parse(order.placedAt)) };
}

/**
 * Notes something about an order, or, with a blank text, nothing. The audit trail has the order, and not the words.
 * @throws {Problem} ORDER_NOT_FOUND; CUSTOMER_NOT_FOUND for an erased customer's order: the words may be about the person.
 */
export async function noteOrder(db: Db, id: string, text: string, actor: Actor): Promise<DeskOrder> {
  return await db.transaction().execute(async (db) => {
    const { buyer } = await findDeskOrder(db, id);
    const note = tidyLines(text);
    const { numUpdatedRows } = await db
      .updateTable('orders')
      .set({ note })
      .where('customer_id', '=', buyer._id)
      .where('id', '=', id)
      .where('note', 'is distinct from', note)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) {
      await recordActivity(db, 'order-noted', actor, { subject: id, details: { isNoted: note !== null } });
    }
    const order = await findDeskOrder(db, id);
    // It takes the note back: a request that began before an erasure must leave nothing of the person behind.
    if (order.buyer.email === '') throw new Problem('CUSTOMER_NOT_FOUND');
    return order;
  });
}
