/** tables.ts describes the new columns. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  await db.schema.alterTable('orders').addColumn('delivery_address', text).execute();
  await db.schema.alterTable('orders').addColumn('address_corrected_at', 'bigint').execute();
  await db.schema.alterTable('sessions').addColumn('delivery_address', text).execute();
}
