import { stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { sql } from 'kysely';
import type { PostgresSettings } from '../postgres/pools.ts';
import type { Db } from '../tables.ts';
import { type Counts, countRows, type OnStep, progressMs } from './counts.ts';
import { checkProgram, connectionEnvironment, endOf, startProgram } from './programs.ts';

/** Schemas with what a restore has replaced begin so. */
export const replacedSchema = 'colophon_replaced_';

/** @param db a connection for itself: its transaction keeps the snapshot. */
export async function backUpPostgres(
  { url, directUrl = url }: PostgresSettings,
  db: Db,
  part: string,
  onStep: OnStep,
): Promise<Counts> {
  const serverMajor = await readServerMajor(db);
  const major = await checkProgram('pg_dump', serverMajor);
  await checkProgram('pg_restore', serverMajor);
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const counts = await snapshot.execute(async (db) => {
    const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(db);
    const options = [
      ...['--format=custom', '--no-owner', '--no-privileges', '--no-password'],
      `--exclude-schema=${replacedSchema}*`,
      `--snapshot=${rows[0]?.id}`,
      `--file=${part}`,
    ];
    const dump = startProgram('pg_dump', options, connectionEnvironment(directUrl, major));
    const timer = setInterval(async () => onStep('copying', (await stat(part)).size), progressMs);
    await endOf('pg_dump', dump).finally(() => clearInterval(timer));
    return await countRows(db);
  });
  onStep('checking', 0);
  await endOf('pg_restore', startProgram('pg_restore', [`--file=${devNull}`, part]));
  return counts;
}

export async function readServerMajor(db: Db): Promise<number> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db);
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
}
