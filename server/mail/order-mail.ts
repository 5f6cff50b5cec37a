import type { Db } from '../database/tables.ts';

/** What messages are made of. Nothing verifies the address of a buyer who has another one since. */
export const mailedOrders = (db: Db) =>
  db
    .selectFrom('orders')
    .leftJoin('customers', (join) =>
      join.onRef('customers.id', '=', 'customer_id').onRef('customers.email', '=', 'buyer_email'),
    )
    .select([
      'orders.id',
      'customer_id as customerId',
      'book_id as bookId',
      'title',
      'author',
      'price_cents as priceCents',
      'time',
      'buyer_name as buyerName',
      'buyer_email as buyerEmail',
      'is_email_verified as isVerified',
      'placed_at as placedAt',
      'delivery_address as deliveryAddress',
      'withdrawal_days as withdrawalDays',
      'sent_at as sentAt',
      'withdrawn_at as withdrawnAt',
      'withdrawn_by as withdrawnBy',
      'withdrawal_reason as withdrawalReason',
    ]);

export type MailedOrder = Awaited<ReturnType<ReturnType<typeof mailedOrders>['executeTakeFirstOrThrow']>>;
