import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import type { PostgresSettings } from '../postgres.ts';
import type { Db } from '../tables.ts';
import type { OnStep } from './back-up.ts';
import type { Counts } from './check-sqlite.ts';
import { readDump } from './dump-contents.ts';
import { checkProgram, connectionEnvironment, endOf, startProgram } from './postgres-programs.ts';

/** Schemas with what a restore has replaced begin so. */
export const replacedSchema = 'colophon_replaced_';

const progressMs = 200;

/**
 * Writes a dump of one snapshot, reads it back, and compares the numbers of rows with those of the same snapshot.
 * @param db a connection for itself: its transaction keeps the snapshot.
 * @param part an empty file.
 */
export async function dumpPostgres(
  settings: PostgresSettings,
  db: Db,
  part: string,
  onStep: OnStep,
): Promise<Counts> {
  const url = settings.directUrl ?? settings.url;
  const serverMajor = await readServerMajor(db);
  const major = await checkProgram('pg_dump', serverMajor);
  await checkProgram('pg_restore', serverMajor);
  const expected = await db
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
      return await countEachTable(db);
    });
  const { rows } = await readDump(part, (bytes) => onStep('checking', bytes));
  for (const [table, count] of expected) {
    if (rows.get(table) === count) continue;
    throw new StartError(
      `The backup has ${rows.get(table) ?? 0} rows of ${table}, and the database ${count}.`,
    );
  }
  const countOf = (table: string) => rows.get(table) ?? 0;
  return { books: countOf('books'), customers: countOf('customers'), orders: countOf('orders') };
}

export async function readServerMajor(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version
  `.execute(db);
  return Math.floor(Number(rows[0]?.version) / 10_000);
}

/** Of the schema that the store's tables are in. */
async function countEachTable(db: Db): Promise<Map<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r'
      and relnamespace = (select relnamespace from pg_class where oid = to_regclass('kysely_migration'))
  `.execute(db);
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      db,
    );
    counts.set(name, Number(rows[0]?.count));
  }
  return counts;
}
