/** Writes the whole database to a file of SQLite, beside running stores (docs/decisions/0067). */

import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { recordBackup } from '../last-backup.ts';
import { type AppliedMigration, checkNotNewer, listApplied } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { type DatabaseSettings, openUnlimited } from '../open.ts';
import { explained } from '../open-error.ts';
import { isSameFile } from '../sqlite/file.ts';
import type { Db } from '../tables.ts';
import { writeWhole } from '../whole-file.ts';
import { copyRows, type OnStep } from './copy-rows.ts';
import { asFolderFault, type Counts, checkFile, countRows, makeStoreFile, withFile } from './store-file.ts';
import { hashFile, sumFileOf } from './sum-file.ts';

type Backup = Counts & {
  bytes: number;
  /** The start of the backup, in milliseconds since 1970; the backup has every change that was acknowledged before. */
  startedAt: number;
};

/** @throws {StartError} when the database cannot be read, or the file cannot be written. Then no new file remains. */
export async function backUp(
  settings: DatabaseSettings,
  file: string,
  { isForced, onStep }: { isForced: boolean; onStep: OnStep },
): Promise<Backup> {
  if (settings.engine === 'sqlite') refuseItself(settings.file, file);
  await using db = await openUnlimited(settings);
  const work = async () => {
    const applied = await listApplied(db);
    checkNotNewer(applied, migrations);
    const { line, ...backup } = await writeWhole(file, { isForced }, async (part) => {
      const startedAt = Date.now();
      onStep('copying');
      // SQLite's backup API starts anew whenever another process commits. `vacuum into` reads one snapshot, and no write waits for it.
      const copying: Promise<unknown> =
        settings.engine === 'sqlite'
          ? sql`vacuum into ${part}`.execute(db)
          : copySnapshot(db, part, applied, onStep);
      await copying.catch((error) => {
        throw asFolderFault(error, part);
      });
      onStep('checking');
      const counts = await withFile(part, { readOnly: true }, async (_, sqlite) => {
        checkFile(sqlite, 'The backup');
        return countRows(sqlite);
      });
      const line = `${await hashFile(part)}  ${basename(file)}\n`;
      // If the process is killed before the end, the backup has no sum, but never the sum of another backup.
      if (isForced) await rm(sumFileOf(file), { force: true });
      return { ...counts, bytes: (await stat(part)).size, startedAt, line };
    });
    await writeWhole(sumFileOf(file), { isForced: true }, (_part, handle) => handle.writeFile(line));
    // A database from an older version lacks this table.
    if (applied.some(({ name }) => name === '0010-last-backup')) {
      await recordBackup(db, backup).catch((error: Error) => {
        throw new StartError(`${file} is complete, but the database did not record it (${error.message}).`);
      });
    }
    return backup;
  };
  return await explained(settings, work);
}

function refuseItself(source: string, file: string): void {
  for (const name of [source, `${source}-wal`, `${source}-shm`]) {
    if (isSameFile(file, name)) throw new StartError(`${file} is the database itself.`);
  }
}

const copySnapshot = (db: Db, part: string, applied: readonly AppliedMigration[], onStep: OnStep) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((db) => makeStoreFile(part, applied, (copy, tables) => copyRows(db, copy, tables, onStep)));
