import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Only for SQLite. tables.ts describes `session_changes`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  await db.schema
    .createTable('session_changes')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute();
  await sql`insert into session_changes (id, count) values (1, 0)`.execute(db);
  for (const [table, change] of [
    ['sessions', 'update'],
    ['sessions', 'delete'],
    ['customers', 'update'],
  ] as const) {
    await sql`
      create trigger ${sql.ref(`count_${table}_${change}`)} after ${sql.raw(change)} on ${sql.table(table)}
      begin update session_changes set count = count + 1; end
    `.execute(db);
  }
}
