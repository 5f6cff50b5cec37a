import { sql } from 'kysely';
import type { Db } from '../tables.ts';

/** Has each counter of these tables go on after the highest number that was loaded. */
export async function restartCounters(db: Db, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ sequence: string; table: string; column: string }>`
    select pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence, relname as table, attname as column
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relname = any(${tables}) and attnum > 0 and not attisdropped
      and pg_get_serial_sequence(attrelid::regclass::text, attname) is not null
  `.execute(db);
  for (const { sequence, table, column } of rows) {
    await sql`
      select setval(${sequence}, coalesce(max(${sql.ref(column)}), 1), max(${sql.ref(column)}) is not null)
      from ${sql.table(table)}
    `.execute(db);
  }
}
