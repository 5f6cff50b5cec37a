/** Looks for faults in the whole database. It reads page by page, so its memory does not grow with the shop. */

import { counted } from '../../../contract/counted.ts';
import { checkCopies } from '../../catalogue/check-copies.ts';
import { checkSearch } from '../../catalogue/check-search.ts';
import { compareSchema } from '../../database/archive/schema.ts';
import { engineOf } from '../../database/engine.ts';
import { collectFaults, type Finding } from '../../database/findings.ts';
import { checkMigrated, listApplied, MigrationError } from '../../database/migrate.ts';
import * as migrations from '../../database/migrations/index.ts';
import type { Db } from '../../database/tables.ts';
import { checkImages } from '../../images/check-images.ts';

/** Called often. `share`: the finished share of this check, from 0 to 1; undefined if unknown. */
type OnCheck = (check: string, share?: number) => void;

/** @param db without time limits. @returns one finding only, if the tables are not those of this version. */
export async function* checkDatabase(db: Db, onCheck: OnCheck): AsyncGenerator<Finding> {
  onCheck('schema');
  const schema = await checkSchema(db);
  yield schema;
  if (schema.faultCount > 0) return;
  onCheck('integrity');
  yield await checkIntegrity(db);
  yield await checkSearch(db, (share) => onCheck('search', share));
  yield await checkImages(db, (share) => onCheck('images', share));
  onCheck('copies');
  yield await checkCopies(db);
}

async function checkSchema(db: Db): Promise<Finding> {
  const faults = collectFaults();
  const checked = counted(Object.keys(migrations).length, 'migration');
  try {
    await checkMigrated(db, migrations);
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    faults.add(`The database ${error.message}`);
    return faults.finding('schema', checked);
  }
  const { made, faults: differences } = await compareSchema(db, await listApplied(db));
  faults.add(...differences);
  return faults.finding('schema', `${checked}, ${made} tables, indexes and triggers`);
}

async function checkIntegrity(db: Db): Promise<Finding> {
  const faults = collectFaults();
  const { count, unit, faults: found } = await engineOf(db).checkIntegrity(db);
  faults.add(...found);
  return faults.finding('integrity', counted(count, unit));
}
