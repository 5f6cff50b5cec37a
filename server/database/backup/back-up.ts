/** Writes the whole database to a file, beside running stores (docs/decisions/0045). */

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { recordBackup } from '../last-backup.ts';
import { type AppliedMigration, checkNotNewer, listApplied } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { DatabaseSettings } from '../open.ts';
import { openUnlimited } from '../open-unlimited.ts';
import type { SqliteSettings } from '../sqlite.ts';
import type { Db } from '../tables.ts';
import { dumpPostgres } from './back-up-postgres.ts';
import { type Counts, checkSqliteFile, countRows } from './check-sqlite.ts';
import { explained } from './explained.ts';
import { writeWhole } from './whole-file.ts';

/** Called often. `share`: of this step, from 0 to 1; undefined if it is not known. */
export type OnStep = (step: string, bytes: number, share?: number) => void;

export type Backup = Counts & {
  bytes: number;
  /** In milliseconds since 1970; the backup has every change that was acknowledged before. */
  startedAt: number;
};

/**
 * Writes a backup to a file, checks it, and records it in the database.
 * @throws {StartError} when the database cannot be read, or the file not be written. There is then no new file.
 */
export async function backUp(
  settings: DatabaseSettings,
  file: string,
  { isForced, onStep }: { isForced: boolean; onStep: OnStep },
): Promise<Backup> {
  if (settings.engine === 'sqlite') await checkSource(settings, file);
  const { db, close } = openUnlimited(settings);
  try {
    const applied = await explained(settings, async () => {
      const applied = await listApplied(db);
      await checkNotNewer(db, applied, migrations);
      return applied;
    });
    const backup = await writeWhole(file, { isForced }, async (part) => {
      const startedAt = Date.now();
      const counts =
        settings.engine === 'sqlite'
          ? await explained(settings, () => copySqlite(db, part, onStep))
          : await dumpPostgres(settings, db, part, onStep);
      return { ...counts, bytes: (await stat(part)).size, startedAt };
    });
    await record(db, applied, file, backup);
    return backup;
  } finally {
    await close();
  }
}

/** @throws {StartError} if there is no database, or the backup would overwrite it. */
async function checkSource({ file: source }: SqliteSettings, file: string): Promise<void> {
  // Opened, it would be created, empty.
  if (!existsSync(source)) throw new StartError(`DATABASE_URL: there is no database at ${source}.`);
  const target = await stat(file, { bigint: true }).catch(() => undefined);
  for (const name of [source, `${source}-wal`, `${source}-shm`]) {
    const own = await stat(name, { bigint: true }).catch(() => undefined);
    if (own && target && own.ino === target.ino && own.dev === target.dev) {
      throw new StartError(`${file} is the database itself.`);
    }
  }
}

const progressMs = 200;

/**
 * SQLite's backup API begins anew whenever another process commits; `vacuum into` reads one snapshot. It takes no lock that a
 * write would wait for.
 */
async function copySqlite(db: Db, part: string, onStep: OnStep): Promise<Counts> {
  const { rows } = await sql<{ bytes: number }>`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size
  `.execute(db);
  const before = await countRows(db);
  const timer = setInterval(async () => {
    const { size } = await stat(part).catch(() => ({ size: 0 }));
    onStep('copying', size, size / (rows[0]?.bytes || 1));
  }, progressMs);
  await sql`vacuum into ${part}`.execute(db).finally(() => clearInterval(timer));
  onStep('checking', 0);
  const copied = await checkSqliteFile(part, 'The backup', true);
  const after = await countRows(db);
  // None of these rows is ever removed.
  for (const table of ['books', 'customers', 'orders'] as const) {
    if (copied[table] < before[table] || copied[table] > after[table]) {
      throw new StartError(`The backup has ${copied[table]} ${table}, and the database ${after[table]}.`);
    }
  }
  return copied;
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
