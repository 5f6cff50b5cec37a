import { tidyAddress } from '../../contract/delivery-address.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { lockOrder, type StoredOrder } from './orders.ts';

/**
 * Changes the delivery address of a buyer's order, until it is marked as sent. A repeated address changes nothing. @throws {Problem}
 * ORDER_NOT_FOUND; NOT_ALLOWED for another customer's order; as {@link changeAddress}.
 */
export const correctAddress = (
  db: Db,
  customer: Pick<Customer, 'id'>,
  id: string,
  text: string,
): Promise<StoredOrder> =>
  db.transaction().execute(async (db) => {
    const order = await lockOrder(db, id);
    if (order.customerId !== customer.id) throw new Problem('NOT_ALLOWED');
    return await changeAddress(db, order, text);
  });

/** @returns the same order if it has this address already. @throws {Problem} CUSTOMER_NOT_FOUND after an erasure; WITHDRAWN; ALREADY_SENT. */
export async function changeAddress(db: Db, order: StoredOrder, text: string): Promise<StoredOrder> {
  // A request that began before the customer's erasure must not store an address.
  if (order.buyerEmail === '') throw new Problem('CUSTOMER_NOT_FOUND');
  if (order.withdrawnAt !== null) throw new Problem('WITHDRAWN');
  if (order.sentAt !== null) throw new Problem('ALREADY_SENT');
  const deliveryAddress = tidyAddress(text);
  if (deliveryAddress === order.deliveryAddress) return order;
  const addressCorrectedAt = Date.now();
  const changes = { delivery_address: deliveryAddress, address_corrected_at: addressCorrectedAt };
  await db.updateTable('orders').set(changes).where('id', '=', order.id).execute();
  return { ...order, deliveryAddress, addressCorrectedAt };
}

export async function findLastAddress(db: Db, customerId: string): Promise<string | null> {
  const last = await db
    .selectFrom('orders')
    .select('delivery_address')
    .where('customer_id', '=', customerId)
    .where('delivery_address', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.delivery_address ?? null;
}
