/** Writes the whole database to a file, beside running stores (docs/decisions/0045). */

import { rm, stat } from 'node:fs/promises';
import { StartError } from '../../start-error.ts';
import { recordBackup } from '../last-backup.ts';
import { type AppliedMigration, checkNotNewer, listApplied } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { type DatabaseSettings, openUnlimited } from '../open.ts';
import { explained } from '../open-error.ts';
import type { Db } from '../tables.ts';
import { writeWhole } from '../whole-file.ts';
import type { Counts, OnStep } from './counts.ts';
import { backUpPostgres } from './postgres-back-up.ts';
import { backUpSqlite, checkSource } from './sqlite-back-up.ts';
import { sumFileOf, sumLine } from './sum-file.ts';

type Backup = Counts & {
  bytes: number;
  /** In milliseconds since 1970; the backup has every change that was acknowledged before. */
  startedAt: number;
};

/** @throws {StartError} when the database cannot be read, or the file not be written. There is then no new file. */
export async function backUp(
  settings: DatabaseSettings,
  file: string,
  { isForced, onStep }: { isForced: boolean; onStep: OnStep },
): Promise<Backup> {
  if (settings.engine === 'sqlite') await checkSource(settings.file, file);
  const { db, close } = await openUnlimited(settings);
  try {
    const applied = await explained(settings, async () => {
      const applied = await listApplied(db);
      checkNotNewer(applied, migrations);
      return applied;
    });
    const { line, ...backup } = await writeWhole(file, { isForced }, async (part) => {
      const startedAt = Date.now();
      const counts =
        settings.engine === 'sqlite'
          ? await explained(settings, () => backUpSqlite(db, part, onStep))
          : await backUpPostgres(settings, db, part, onStep);
      const line = await sumLine(part, file);
      // A kill before the end leaves a backup without a sum, and never one with another's.
      if (isForced) await rm(sumFileOf(file), { force: true });
      return { ...counts, bytes: (await stat(part)).size, startedAt, line };
    });
    await writeWhole(sumFileOf(file), { isForced: true }, (_part, handle) => handle.writeFile(line));
    await record(db, applied, file, backup);
    return backup;
  } finally {
    await close();
  }
}

/** A database that an older version made has no place for it. */
async function record(
  db: Db,
  applied: readonly AppliedMigration[],
  file: string,
  backup: Backup,
): Promise<void> {
  if (!applied.some(({ name }) => name === '0010-last-backup')) return;
  await recordBackup(db, backup).catch((error: Error) => {
    throw new StartError(`${file} is complete, but the database did not record it (${error.message}).`);
  });
}
