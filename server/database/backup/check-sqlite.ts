import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { checkNotNewer, listApplied, MigrationError } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { sqliteFault } from '../open-error.ts';
import { openFileForReads } from '../open-unlimited.ts';
import type { Db } from '../tables.ts';

/** How many rows the tables have that matter most. */
export type Counts = { books: number; customers: number; orders: number };

/** @returns numbers of one moment, where the caller has a transaction. */
export async function countRows(db: Db): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*) from books) as books, (select count(*) from customers) as customers,
      (select count(*) from orders) as orders
  `.execute(db);
  const [{ books = 0, customers = 0, orders = 0 } = {}] = rows;
  return { books: Number(books), customers: Number(customers), orders: Number(orders) };
}

/**
 * Checks a SQLite file that no process changes: it is whole, a store of this version or an older one, and no reference in it leads
 * nowhere.
 * @param name how messages call it.
 * @param hasNewIndexes whether `vacuum into` has just made the file: comparing its indexes with its tables would take ten times as
 * long as writing it.
 * @throws {StartError} with the first fault.
 */
export async function checkSqliteFile(file: string, name: string, hasNewIndexes: boolean): Promise<Counts> {
  const { db, close } = openFileForReads(file);
  try {
    await checkNotNewer(db, await listApplied(db), migrations);
    const pragma = sql.raw(hasNewIndexes ? 'quick_check' : 'integrity_check');
    const { rows } = await sql<Record<string, string>>`pragma ${pragma}(1)`.execute(db);
    const [fault] = Object.values(rows[0] ?? {});
    if (fault !== 'ok') throw new StartError(`${name} is damaged (${fault}).`);
    const orphans = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
    const [orphan] = orphans.rows;
    if (orphan)
      throw new StartError(`${name} is damaged (a row of ${orphan.table} refers to one that is missing).`);
    return await countRows(db);
  } catch (error) {
    if (error instanceof MigrationError) throw new StartError(`${name} ${error.message}`);
    const fault = sqliteFault(error, { file: name });
    throw fault === undefined ? error : new StartError(fault);
  } finally {
    await close();
  }
}
