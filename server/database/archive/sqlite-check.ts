import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { checkNotNewer, listApplied } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { asSqliteFault } from '../sqlite/fault.ts';
import { openFileForReads } from '../sqlite/open.ts';
import { type Counts, countRows } from './counts.ts';

/**
 * Checks a SQLite file that no process changes: it is whole, a store of this version or an older one, and no reference in it leads
 * nowhere. Another thread does it: this one responds to signals.
 * @param name how messages call it.
 * @param hasNewIndexes `vacuum into` has just made the file: comparing its indexes with its tables would take ten times as
 * long as writing it.
 * @throws {StartError} with the first fault.
 */
export async function checkSqliteFile(file: string, name: string, hasNewIndexes: boolean): Promise<Counts> {
  const { db, close } = openFileForReads(file);
  try {
    checkNotNewer(await listApplied(db), migrations);
    const pragma = sql.raw(hasNewIndexes ? 'quick_check' : 'integrity_check');
    const { rows } = await sql<Record<string, string>>`pragma ${pragma}(1)`.execute(db);
    const [fault] = Object.values(rows[0] ?? {});
    if (fault !== 'ok') throw new StartError(`${name} is damaged (${fault}).`);
    const { rows: orphans } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
    if (orphans[0]) {
      throw new StartError(
        `${name} is damaged (a row of ${orphans[0].table} refers to one that is missing).`,
      );
    }
    return await countRows(db);
  } catch (error) {
    throw asSqliteFault(error, name);
  } finally {
    await close();
  }
}
