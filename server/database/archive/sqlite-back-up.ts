import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { asSqliteFault } from '../open-error.ts';
import { isSameFile } from '../sqlite/file.ts';
import type { Db } from '../tables.ts';
import { type Counts, countRows, type OnStep, progressMs } from './counts.ts';
import { onConnection } from './one-connection.ts';

export async function checkSource(source: string, file: string): Promise<void> {
  // Opened, it would be created, empty.
  if (!existsSync(source)) throw new StartError(`DATABASE_URL: there is no database at ${source}.`);
  for (const name of [source, `${source}-wal`, `${source}-shm`]) {
    if (isSameFile(file, name)) throw new StartError(`${file} is the database itself.`);
  }
}

/** SQLITE_READONLY, FULL and CANTOPEN are faults of the file that is written. */
const targetFaults = [8, 13, 14];

/**
 * SQLite's backup API begins anew whenever another process commits; `vacuum into` reads one snapshot. It takes no lock that a
 * write would wait for.
 */
export async function backUpSqlite(db: Db, part: string, onStep: OnStep): Promise<Counts> {
  const show = async () => onStep('copying', (await stat(part)).size);
  const timer = setInterval(() => show().catch(() => {}), progressMs);
  await sql`vacuum into ${part}`
    .execute(db)
    .catch((error: { errcode?: number }) => {
      throw targetFaults.includes(Number(error.errcode) & 0xff) ? asSqliteFault(error, dirname(part)) : error;
    })
    .finally(() => clearInterval(timer));
  onStep('checking', 0);
  const sqlite = new DatabaseSync(part, { readOnly: true });
  try {
    // Its indexes are new: comparing them with the tables too would take ten times as long as writing it.
    for (const check of ['quick_check(1)', 'foreign_key_check']) {
      const [fault = 'ok'] = Object.values(sqlite.prepare(`pragma ${check}`).get() ?? {});
      if (fault !== 'ok') throw new StartError(`The backup is damaged (${check}: ${fault}).`);
    }
    return await countRows(onConnection(sqlite));
  } finally {
    sqlite.close();
  }
}
