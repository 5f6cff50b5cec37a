import { sql } from 'kysely';
import pg from 'pg';
import { StartError } from '../../start-error.ts';
import { type AppliedMigration, checkNotNewer, MigrationError } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { explained } from '../open-error.ts';
import { tryLockMigrations } from '../postgres/dialect.ts';
import type { PostgresSettings } from '../postgres/pools.ts';
import { checkServer } from '../postgres/session.ts';
import type { Db } from '../tables.ts';
import { timeName } from '../whole-file.ts';
import { countRows, type OnStep } from './counts.ts';
import { endAgain, finishEnded, type Restored, type RestoreOptions, readKnown } from './ended.ts';
import {
  type Connection,
  loadRows,
  makeEmptyTables,
  type TableRows,
  withConnection,
} from './fill-postgres.ts';
import { readServerMajor, replacedSchema } from './postgres-back-up.ts';
import { checkProgram } from './programs.ts';
import { readDump } from './read-dump.ts';

export const restorePostgres = (
  settings: PostgresSettings,
  file: string,
  options: RestoreOptions,
): Promise<Restored> =>
  explained(settings, () =>
    withConnection(settings, (connection) => restoreOn(connection, settings, file, options)),
  );

async function restoreOn(
  { client, db }: Connection,
  settings: PostgresSettings,
  file: string,
  { isForced, onStep, finish }: RestoreOptions,
): Promise<Restored> {
  const { isSuperuser } = await checkServer(db);
  if (isSuperuser) {
    throw new StartError(
      'DATABASE_URL names a superuser, and an ordinary role restores backups: docs/database.md says how to make one.',
    );
  }
  await checkProgram('pg_restore', await readServerMajor(db));
  await lockStore(db, settings);
  const aside = `${replacedSchema}${timeName().toLowerCase()}`;
  const moves = await listMoves(db, aside);
  if (moves.length > 0 && !isForced) {
    throw new StartError('The database has a store already; --force replaces it, and keeps it aside.');
  }
  const { home, applied } = await readMigrations(file);
  const known = await readKnown(moves.length > 0 ? db : 'none');
  const ended = await db.transaction().execute(async (db) => {
    if (moves.length > 0) await sql`create schema ${sql.id(aside)}`.execute(db);
    for (const move of moves) await sql.raw(move).execute(db);
    const tables = await makeEmptyTables(db, applied);
    await loadRows({ client, db }, tables, rowsOf(file, home, onStep), file).catch((error: unknown) => {
      throw asFileFault(file, error);
    });
    return await endAgain(db, known);
  });
  const notes = await finishEnded(db, ended, finish);
  onStep('gathering statistics for the planner', 0);
  await sql`analyze`.execute(db);
  const counts = await countRows(db);
  return { ...counts, ...ended, notes, replaced: moves.length > 0 ? aside : undefined };
}

/** @returns the schema of the dump's store, and its migrations. @throws {StartError} unless this version can use it. */
async function readMigrations(file: string): Promise<{ home: string; applied: AppliedMigration[] }> {
  const applied: AppliedMigration[] = [];
  let home: string | undefined;
  for await (const { schema, columns, rows } of readDump(file, '--table=kysely_migration')) {
    if (home !== undefined) throw new StartError(`${file} has several stores.`);
    home = schema;
    for await (const row of rows) {
      const cells = String(row).trimEnd().split('\t');
      const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
      applied.push({ name: cell('name'), timestamp: cell('timestamp') });
    }
  }
  if (home === undefined) throw new StartError(`${file} has no store in it.`);
  applied.sort((one, other) => (one.name < other.name ? -1 : 1));
  try {
    checkNotNewer(applied, migrations);
  } catch (error) {
    throw error instanceof MigrationError ? new StartError(`${file} ${error.message}`) : error;
  }
  return { home, applied };
}

async function* rowsOf(file: string, home: string, onStep: OnStep): AsyncGenerator<TableRows> {
  for await (const { schema, ...table } of readDump(file)) {
    const name = schema === home ? table.name : `${schema}.${table.name}`;
    if (/^kysely_migration(_lock)?$/.test(name)) continue;
    onStep(`restoring ${name}`, 0);
    yield { ...table, name };
  }
}

/** PostgreSQL's classes of conditions for values that do not fit: data exception, integrity constraint, program limit. */
const asFileFault = (file: string, error: unknown): unknown =>
  error instanceof pg.DatabaseError && /^(22|23|54)/.test(error.code ?? '')
    ? new StartError(`${file} cannot be restored (${error.message}).`)
    : error;

/**
 * A node that starts waits for this lock of the migrations. Nodes that run would go on with what they have in memory. Idle connections
 * may be those of a pooler, which keeps the name of a node that has stopped; or those of a node that runs and is idle.
 */
async function lockStore(db: Db, { url }: PostgresSettings): Promise<void> {
  const isFree = await tryLockMigrations(db);
  const { rows } = await sql<{ count: number; areIdle: boolean | null; hosts: string }>`
    select count(*) as count, bool_and(state = 'idle') as "areIdle",
      string_agg(distinct coalesce(host(client_addr), 'a socket'), ', ') as hosts
    from pg_stat_activity
    where datname = current_database() and application_name = 'colophon' and pid <> pg_backend_pid()
  `.execute(db);
  const { count = 0, areIdle, hosts } = rows[0] ?? {};
  if (isFree && Number(count) === 0) return;
  const inUse = `The database at ${new URL(url).host} is in use: stop all nodes of the store first.`;
  const ofPooler = `Its connections (${count}, from ${hosts}) are all idle: if a pooler is there, let it close them (PgBouncer: RECONNECT).`;
  throw new StartError(areIdle ? `${inUse} ${ofPooler}` : inUse);
}

/** @returns statements that move all of the store to another schema, but not what belongs to an extension. It may lack a table. */
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
