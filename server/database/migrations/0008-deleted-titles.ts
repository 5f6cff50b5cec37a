/** An import looks for a deleted book by its title, to restore it. */

import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('books_removed_titled')
    .on('books')
    .column('title')
    .where(sql.ref('removed_at'), 'is not', null)
    .execute();
}
