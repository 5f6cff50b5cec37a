import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../start-error.ts';
import { asSqliteFault } from '../open-error.ts';
import type { Db } from '../tables.ts';
import { onConnection } from './one-connection.ts';

/** `hasContent`: there are tables, or the file is damaged. `db`: on the only connection; undefined for a damaged file. */
export type Lock = { hasContent: boolean; db: Db | undefined; release(): void };

/** Takes a SQLite file for this process alone, with its log moved into it. @throws {StartError} if another one has it open. */
export function lockFile(target: string): Lock {
  const sqlite = new DatabaseSync(target, { timeout: 0 });
  try {
    // It needs all locks, and leaves one file.
    sqlite.exec('pragma journal_mode = delete');
    // A store that starts now waits.
    sqlite.exec('begin exclusive');
    const tables = sqlite.prepare('select count(*) as count from sqlite_schema').get();
    return { hasContent: tables?.['count'] !== 0, db: onConnection(sqlite), release: () => sqlite.close() };
  } catch (error) {
    sqlite.close();
    const code = Number((error as { errcode?: number }).errcode) & 0xff;
    if (code === 5 || code === 6) {
      throw new StartError(`${target} is in use by another process: stop the store first.`);
    }
    // A file that is damaged, or no database at all, cannot be locked; a restore is for such a file.
    if (code === 11 || code === 26) return { hasContent: true, db: undefined, release: () => {} };
    throw asSqliteFault(error, target);
  }
}
