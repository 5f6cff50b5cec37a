import { sql } from 'kysely';
import type { EngineSchema } from '../engine.ts';

export const postgresSchema: EngineSchema = {
  async listColumns(db, table) {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = to_regclass(${table})
    `.execute(db);
    return rows.map(({ name }) => name);
  },

  /** An index whose making failed is there, and not used. */
  async checkIntegrity(db) {
    const { rows } = await sql<{ name: string; isValid: boolean }>`
      select indexrelid::regclass::text as name, indisvalid and indisready as "isValid"
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = (select relnamespace from pg_class where oid = to_regclass('books'))
    `.execute(db);
    const bad = rows.filter(({ isValid }) => !isValid);
    const faults = bad.map(
      ({ name }) => `The index ${name} is not valid: \`reindex index ${name}\` makes it anew.`,
    );
    return { count: rows.length, unit: 'index', faults };
  },
};
