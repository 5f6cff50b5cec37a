import { sql } from 'kysely';
import type { EngineSchema } from '../engine.ts';

export const sqliteSchema: EngineSchema = {
  async listColumns(db, table) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
    return rows.map(({ name }) => name);
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
