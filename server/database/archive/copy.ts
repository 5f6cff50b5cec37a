/** Copies a store from SQLite to PostgreSQL, as a whole or not at all (docs/decisions/0067). */

import { StartError } from '../../start-error.ts';
import { checkMigrated, listApplied } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { explained, openErrorMessage } from '../open-error.ts';
import { openServer } from '../postgres/open.ts';
import type { PostgresSettings } from '../postgres/pools.ts';
import type { SqliteSettings } from '../sqlite/open.ts';
import type { CopiedTable, OnStep } from './copy-rows.ts';
import { fillPostgres, lockStore } from './postgres.ts';
import { lockFile } from './sqlite.ts';

export async function copyToPostgres(
  source: SqliteSettings,
  target: PostgresSettings,
  onStep: OnStep,
): Promise<CopiedTable[]> {
  const { db: own, release } = lockFile(source.file);
  if (!own) throw new StartError(`${source.file} is damaged: restore a backup first.`);
  const { db, close } = openServer(target);
  try {
    await explained(source, () => checkMigrated(own, migrations));
    if ((await listApplied(db)).length > 0) {
      throw new StartError('--to: this database has a store already.');
    }
    return await db.transaction().execute(async (db) => {
      await lockStore(db, target);
      return await fillPostgres(db, own, onStep);
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    const message = openErrorMessage(error, target)?.replace(/^DATABASE_URL: /, '--to: ');
    throw message === undefined ? error : new StartError(message);
  } finally {
    await close();
    release();
  }
}
