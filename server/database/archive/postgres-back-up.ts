import { stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { sql } from 'kysely';
import type { PostgresSettings } from '../postgres/client.ts';
import type { Db } from '../tables.ts';
import { type Counts, countRows, type OnStep, progressMs } from './counts.ts';
import { checkProgram, connectionEnvironment, endOf, startProgram } from './programs.ts';

/** Schemas with what a restore has replaced begin so. */
export const replacedSchema = 'colophon_replaced_';

/**
 * Writes a dump of one snapshot, and reads it back to its end.
 * @param db a connection for itself: its transaction keeps the snapshot.
 * @param part an empty file.
 */
export async function backUpPostgres(
  settings: PostgresSettings,
  db: Db,
  part: string,
  onStep: OnStep,
): Promise<Counts> {
  const url = settings.directUrl ?? settings.url;
  const serverMajor = await readServerMajor(db);
  const major = await checkProgram('pg_dump', serverMajor);
  await checkProgram('pg_restore', serverMajor);
  const counts = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(db);
      const dump = startProgram(
        'pg_dump',
        [
          '--format=custom',
          '--no-owner',
          '--no-privileges',
          '--no-password',
          `--exclude-schema=${replacedSchema}*`,
          `--snapshot=${rows[0]?.snapshot}`,
          `--file=${part}`,
        ],
        connectionEnvironment(url, major),
      );
      const timer = setInterval(async () => onStep('copying', (await stat(part)).size), progressMs);
      await endOf('pg_dump', dump).finally(() => clearInterval(timer));
      return await countRows(db);
    });
  onStep('checking', 0);
  await endOf('pg_restore', startProgram('pg_restore', [`--file=${devNull}`, part]));
  return counts;
}

export async function readServerMajor(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version
  `.execute(db);
  return Math.floor(Number(rows[0]?.version) / 10_000);
}
