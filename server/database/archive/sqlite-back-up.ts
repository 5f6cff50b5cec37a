import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { asSqliteFault } from '../sqlite/fault.ts';
import { isSameFile } from '../sqlite/file.ts';
import type { Db } from '../tables.ts';
import { type Counts, type OnStep, progressMs } from './counts.ts';
import { checkSqliteFile } from './sqlite-check.ts';

/** @throws {StartError} if there is no database, or the backup would overwrite it. */
export async function checkSource(source: string, file: string): Promise<void> {
  // Opened, it would be created, empty.
  if (!existsSync(source)) throw new StartError(`DATABASE_URL: there is no database at ${source}.`);
  for (const name of [source, `${source}-wal`, `${source}-shm`]) {
    if (await isSameFile(file, name)) throw new StartError(`${file} is the database itself.`);
  }
}

/**
 * @returns true for a fault of the file that is written (SQLITE_READONLY, IOERR, FULL, CANTOPEN), and not of the database, whose reads fail
 * with IOERR_READ or IOERR_SHORT_READ.
 */
function isOfTarget(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return [8, 10, 13, 14].includes(errcode & 0xff) && ![266, 522].includes(errcode);
}

/**
 * SQLite's backup API begins anew whenever another process commits; `vacuum into` reads one snapshot. It takes no lock that a
 * write would wait for.
 */
export async function backUpSqlite(db: Db, part: string, onStep: OnStep): Promise<Counts> {
  const { rows } = await sql<{ bytes: number }>`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size
  `.execute(db);
  const timer = setInterval(async () => {
    const { size } = await stat(part).catch(() => ({ size: 0 }));
    onStep('copying', size, size / (rows[0]?.bytes || 1));
  }, progressMs);
  await sql`vacuum into ${part}`
    .execute(db)
    .catch((error: unknown) => {
      throw isOfTarget(error) ? asSqliteFault(error, dirname(part)) : error;
    })
    .finally(() => clearInterval(timer));
  onStep('checking', 0);
  return await checkSqliteFile(part, 'The backup', true);
}
