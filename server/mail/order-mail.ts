import type { Db } from '../database/tables.ts';
import { type StoredOrder, storedOrders } from '../orders/orders.ts';

/** `isVerified` is null if the customer's address has changed since: then nothing verifies the order's address. */
export type MailedOrder = StoredOrder & { isVerified: number | null };

export const mailedOrders = (db: Db) =>
  storedOrders(db).select(({ selectFrom }) =>
    selectFrom('customers')
      .select('is_email_verified')
      .whereRef('customers.id', '=', 'customer_id')
      .whereRef('email', '=', 'buyer_email')
      .as('isVerified'),
  );
