/** The address that an order is sent to. */

import { tidyAddress } from '../../contract/delivery-address.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { type PlacedOrder, placedOrders } from './orders.ts';

/**
 * Changes where an order is sent, for its buyer, until it is marked as sent. The same address again changes nothing.
 * @throws {Problem} ORDER_NOT_FOUND; NOT_ALLOWED for another customer's order; CUSTOMER_NOT_FOUND for an erased one's;
 * WITHDRAWN; ALREADY_SENT.
 */
export async function correctAddress(
  db: Db,
  customer: Pick<Customer, 'id'>,
  id: string,
  deliveryAddress: string,
): Promise<PlacedOrder> {
  return await db.transaction().execute(async (db) => {
    const order = await findOrder(db, id);
    if (order.customerId !== customer.id) throw new Problem('NOT_ALLOWED');
    await changeAddress(db, order, deliveryAddress);
    return await placedOrders(db).where('id', '=', id).executeTakeFirstOrThrow();
  });
}

type FoundOrder = { id: string; customerId: string };

async function findOrder(db: Db, id: string): Promise<FoundOrder> {
  const order = await db
    .selectFrom('orders')
    .select(['id', 'customer_id as customerId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return order;
}

/** @returns whether it is another address now. */
export async function changeAddress(
  db: Db,
  { customerId, id }: FoundOrder,
  deliveryAddress: string,
): Promise<boolean> {
  const address = tidyAddress(deliveryAddress);
  // The row as it is now: a change that marks the order as sent meanwhile has waited, or is waited for.
  const ofOrder = { customer_id: customerId, id };
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ delivery_address: address, address_corrected_at: Date.now() })
    .where(({ and }) => and(ofOrder))
    .where('sent_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    // A request that began before an erasure must leave no address behind.
    .where('buyer_email', '!=', '')
    .where('delivery_address', 'is distinct from', address)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return true;
  const { sentAt, withdrawnAt, buyerEmail } = await db
    .selectFrom('orders')
    .select(['sent_at as sentAt', 'withdrawn_at as withdrawnAt', 'buyer_email as buyerEmail'])
    .where(({ and }) => and(ofOrder))
    .executeTakeFirstOrThrow();
  if (buyerEmail === '') throw new Problem('CUSTOMER_NOT_FOUND');
  if (withdrawnAt !== null) throw new Problem('WITHDRAWN');
  if (sentAt !== null) throw new Problem('ALREADY_SENT');
  return false;
}

/** Among so many of a customer's orders, the last address is looked for. */
const lookedThrough = 200;

/** @returns the address that a customer has given last; null for none. */
export async function findLastAddress(db: Db, customerId: string): Promise<string | null> {
  const last = await db
    .selectFrom(
      db
        .selectFrom('orders')
        .select(['id', 'delivery_address'])
        .where('customer_id', '=', customerId)
        .orderBy('id', 'desc')
        .limit(lookedThrough)
        .as('latest'),
    )
    .select('delivery_address')
    .where('delivery_address', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.delivery_address ?? null;
}
