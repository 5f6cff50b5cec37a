/** tables.ts describes the new column. */

import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('books').addColumn('changed_at', 'bigint').execute();
}
