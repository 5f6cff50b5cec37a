/** tables.ts describes the new columns. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  for (const column of ['mail_due_at', 'receipt_sent_at', 'notice_sent_at']) {
    await db.schema.alterTable('orders').addColumn(column, 'bigint').execute();
  }
  await db.schema.alterTable('orders').addColumn('mail_attempts', 'integer').execute();
  await db.schema.alterTable('orders').addColumn('mail_error', text).execute();

  // Nearly empty: an order leaves them when its mail is sent.
  await db.schema
    .createIndex('orders_mail_due')
    .on('orders')
    .column('mail_due_at')
    .where(sql.ref('mail_due_at'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('orders_mail_failed')
    .on('orders')
    .column('id')
    .where(sql.ref('mail_error'), 'is not', null)
    .execute();
}
