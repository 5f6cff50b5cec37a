import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sql } from 'kysely';
import type { EngineSchema } from '../engine.ts';

export const sqliteSchema: EngineSchema = {
  async listColumns(db, table) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
    return rows.map(({ name }) => name);
  },

  schemaQuery: sql`
    select name, group_concat(type || ' ' || sql, char(10)) as lines from sqlite_schema
    where sql is not null and not (type = 'table'
      and (name in ('kysely_migration', 'kysely_migration_lock')
        or name like 'sqlite#_stat%' escape '#' or name like '#_litestream#_%' escape '#'))
    group by name`,

  async describeMade(db, statements) {
    const sqlite = new DatabaseSync(':memory:');
    for (const { sql, parameters } of statements) sqlite.prepare(sql).run(...(parameters as SQLInputValue[]));
    const rows = sqlite.prepare(sqliteSchema.schemaQuery.compile(db).sql).all();
    sqlite.close();
    return new Map(rows.map(({ name, lines }) => [String(name), String(lines)]));
  },

  async checkIntegrity(db) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(100)`.execute(db);
    const { rows: pages } = await sql<{ count: number }>`
      select page_count as count from pragma_page_count
    `.execute(db);
    const faults = rows.map(({ integrity_check }) => integrity_check).filter((fault) => fault !== 'ok');
    return { count: Number(pages[0]?.count), unit: 'page', faults: faults.map((fault) => `${fault}.`) };
  },
};
