import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { type Counts, countRows } from '../backup/counts.ts';
import { checkNotNewer, listApplied } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { asSqliteFault } from './fault.ts';
import { openFileForReads } from './open.ts';

/**
 * Checks a SQLite file that no process changes: it is whole, a store of this version or an older one, and no reference in it leads
 * nowhere.
 * @param name how messages call it.
 * @param hasNewIndexes `vacuum into` has just made the file: comparing its indexes with its tables would take ten times as
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
    throw asSqliteFault(error, name);
  } finally {
    await close();
  }
}
