import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { checkMigrated, listApplied } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { explained, openErrorMessage } from '../open-error.ts';
import { tryLockMigrations } from '../postgres/dialect.ts';
import { openServer } from '../postgres/open.ts';
import type { PostgresSettings } from '../postgres/pools.ts';
import { checkServer } from '../postgres/session.ts';
import type { SqliteSettings } from '../sqlite/open.ts';
import type { Db } from '../tables.ts';
import { timeName, withPart } from '../whole-file.ts';
import { type CopiedTable, copyRows, type OnStep } from './copy-rows.ts';
import { type MakeStore, readKnown } from './ended.ts';
import { lockFile } from './sqlite.ts';
import { makeEmptyTables, withFile } from './store-file.ts';

export async function replaceSchema(
  settings: PostgresSettings,
  { file, isForced, onStep }: { file: string; isForced: boolean; onStep: OnStep },
  make: MakeStore,
) {
  await using db = openServer(settings);
  const known = await readKnown(db);
  return await db.transaction().execute(async (db) => {
    await lockStore(db, settings);
    const aside = `colophon_replaced_${timeName().toLowerCase()}`;
    const moves = await listMoves(db, aside);
    if (moves.length > 0 && !isForced) {
      throw new StartError('The database has a store already; --force replaces it, and keeps it aside.');
    }
    return await withPart(file, async (part) => {
      const restored = await make(part, known);
      if (moves.length > 0) await sql`create schema ${sql.id(aside)}`.execute(db);
      for (const move of moves) await sql.raw(move).execute(db);
      await withFile(part, { readOnly: true }, (source) => fillPostgres(db, source, onStep));
      return { ...restored, replaced: moves.length > 0 ? aside : undefined };
    });
  });
}

/** @returns statements that move the store's tables and functions to another schema, but nothing of an extension. A table may be missing. */
async function listMoves(db: Db, schema: string): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    with store as (
      select relnamespace as home from pg_class
      where oid = coalesce(to_regclass('kysely_migration'), to_regclass('books'), to_regclass('customers'))
    ), parts as (
      select oid, format('table %s', oid::regclass) as name from pg_class join store on relnamespace = home
        where relkind in ('r', 'p', 'v', 'm')
      union all
      select oid, format('routine %s', oid::regprocedure) from pg_proc join store on pronamespace = home
    )
    select format('alter %s set schema %I', name, ${schema}::text) as statement from parts
    where not exists (select from pg_depend where objid = parts.oid and deptype = 'e')
  `.execute(db);
  return rows.map(({ statement }) => statement);
}

/** Takes the lock of the migrations, so that a starting node waits. A node that already runs would go on with what it has in memory. */
async function lockStore(db: Db, { url }: PostgresSettings): Promise<void> {
  await checkServer(db);
  const isFree = await tryLockMigrations(db);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'colophon' and pid <> pg_backend_pid()
  `.execute(db);
  if (isFree && rows[0]?.count === 0) return;
  throw new StartError(
    `The database at ${new URL(url).host} is in use: stop all nodes of the store first, and let a pooler close its connections (PgBouncer: RECONNECT).`,
  );
}

async function fillPostgres(db: Db, source: Db, onStep: OnStep): Promise<CopiedTable[]> {
  const tables = await makeEmptyTables(db, await listApplied(source));
  const copied = await copyRows(source, db, tables, onStep);
  for (const { name, columns } of tables) {
    if (!columns.includes('seq')) continue;
    await sql`select setval(pg_get_serial_sequence(${name}, 'seq'), max(seq)) from ${sql.table(name)}`.execute(
      db,
    );
  }
  onStep('gathering statistics for the planner');
  await sql`analyze`.execute(db);
  return copied;
}

/** Copies a store from SQLite, as a whole or not at all (docs/decisions/0067). */
export async function copyToPostgres(
  source: SqliteSettings,
  target: PostgresSettings,
  onStep: OnStep,
): Promise<CopiedTable[]> {
  using lock = lockFile(source.file);
  const own = lock.db;
  if (!own) throw new StartError(`${source.file} is damaged: restore a backup first.`);
  await using db = openServer(target);
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
  }
}
