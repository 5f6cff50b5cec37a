/** What a migration must say differently to each engine. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter;

export const columnTypes = (db: Kysely<unknown>) => ({
  /** Text that is compared byte by byte on both engines, whatever language the database was made for. */
  text: isPostgres(db) ? sql`text collate "C"` : ('text' as const),
  bytes: isPostgres(db) ? ('bytea' as const) : ('blob' as const),
});

/** Lets PostgreSQL tell every listening node of a committed change. SQLite's one file tells by itself. */
export async function announceChanges(db: Kysely<unknown>, table: string, channel: string): Promise<void> {
  if (!isPostgres(db)) return;
  await sql`
    create function ${sql.ref(`announce_${table}`)}() returns trigger language plpgsql as ${sql.lit(
      `begin notify ${channel}; return null; end`,
    )}
  `.execute(db);
  await sql`
    create trigger ${sql.ref(`announce_${table}`)} after insert or update or delete or truncate on ${sql.table(table)}
    for each statement execute function ${sql.ref(`announce_${table}`)}()
  `.execute(db);
}
