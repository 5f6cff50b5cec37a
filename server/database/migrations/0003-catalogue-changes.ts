import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What `catalogue_changes` holds stands in tables.ts. PostgreSQL notifies its nodes instead (migration 0001). */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  await db.schema
    .createTable('catalogue_changes')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute();
  await sql`insert into catalogue_changes (id, count) values (1, 0)`.execute(db);
  for (const change of ['insert', 'update', 'delete']) {
    await sql`
      create trigger ${sql.ref(`count_book_${change}`)} after ${sql.raw(change)} on books
      begin update catalogue_changes set count = count + 1; end
    `.execute(db);
  }
}
