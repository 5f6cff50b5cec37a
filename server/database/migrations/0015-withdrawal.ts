/** tables.ts describes the new columns. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  const times = [
    ...['withdrawn_at', 'refunded_at', 'returned_at'],
    ...['acknowledgement_sent_at', 'withdrawal_notice_sent_at', 'order_mail_ended_at'],
  ];
  for (const column of times) await db.schema.alterTable('orders').addColumn(column, 'bigint').execute();
  await db.schema.alterTable('orders').addColumn('withdrawal_days', 'integer').execute();
  await db.schema.alterTable('orders').addColumn('withdrawn_by', text).execute();
  await db.schema.alterTable('orders').addColumn('withdrawal_reason', text).execute();

  // A new order is not in it, so it costs the checkout nothing.
  await db.schema
    .createIndex('orders_withdrawn')
    .on('orders')
    .column('id')
    .where(sql.ref('withdrawn_at'), 'is not', null)
    .execute();
}
