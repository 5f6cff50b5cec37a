import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EngineTransactions, ItemColumns, ItemOf } from '../engine.ts';

/**
 * From SQLite 3.51 on the items stay in its binary form of JSON. By `json_each` each of them would become a text, and that text the binary
 * form again for its fields.
 */
const itemsFunction = sql.raw(isSince(process.versions['sqlite'], [3, 51]) ? 'jsonb_each' : 'json_each');

function isSince(version = '', [major, minor]: [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

const forgetAttempts = 25;
const forgetPauseMs = 200;

export const sqliteTransactions: EngineTransactions = {
  async lockMigrations() {},
  async lockImports() {},
  countingInTurn: (db, execute) => execute(db),
  lockedInOrder: (query) => query,
  locksRows: false,
  writesInTurn: true,

  /**
   * The log still has such rows; in the file itself `secure_delete` has removed them. A connection that reads meanwhile prevents
   * it, so it is tried for some seconds, between which others write; after that, the next call does it.
   */
  async forgetDeletedText(db) {
    for (let attempt = 1; attempt <= forgetAttempts; attempt += 1) {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      if (!rows[0]?.busy) return;
      await pause(forgetPauseMs);
    }
  },

  itemTable<Columns extends ItemColumns>(json: string, columns: Columns) {
    const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
    return sql<ItemOf<Columns>>`(select ${sql.join(values)} from ${itemsFunction}(${json}))`.as('item');
  },
};
