import { sql } from 'kysely';
import type { EngineTransactions, ItemColumns, ItemOf } from '../engine.ts';
import type { Db } from '../tables.ts';

/** The number of the lock is that of Kysely's migrator, which older versions of the store use. */
const migrationsLock = sql.raw('3853314791062309107');

/** Takes the lock of the migrations, for which a node that starts waits, to the end of this connection. @returns false if it is taken. */
export async function tryLockMigrations(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    isFree: boolean;
  }>`select pg_try_advisory_lock(${migrationsLock}) as "isFree"`.execute(db);
  return rows[0]?.isFree ?? false;
}

export const postgresTransactions: EngineTransactions = {
  async lockMigrations(db) {
    await sql`select pg_advisory_xact_lock(${migrationsLock})`.execute(db);
  },
  async lockImports(db) {
    await sql`select pg_advisory_xact_lock(3853314791062309108)`.execute(db);
  },
  countingInTurn: (db, execute) =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (db) => {
        await sql`select pg_advisory_xact_lock(3853314791062309109)`.execute(db);
        return await execute(db);
      }),
  lockedInOrder: (query) => query.forUpdate(),
  locksRows: true,
  writesInTurn: false,
  async forgetDeletedText() {},

  itemTable<Columns extends ItemColumns>(json: string, columns: Columns) {
    const types = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<ItemOf<Columns>>`json_to_recordset(${json}::json)`.as(sql`item(${sql.join(types)})`);
  },
};
