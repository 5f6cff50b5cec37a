import { Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { StartError } from '../../start-error.ts';
import { countRows } from '../backup/counts.ts';
import {
  type Ended,
  knowsEnded,
  nothingReapplied,
  type Restored,
  type RestoreOptions,
  readQueries,
  readReapplied,
  reapplyStatements,
  type UnknownEnded,
  unfinishedErasures,
} from '../backup/reapplied.ts';
import {
  type AppliedMigration,
  applyMissing,
  checkNotNewer,
  listApplied,
  MigrationError,
} from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { explained } from '../open-error.ts';
import type { Db, Tables } from '../tables.ts';
import { timeName } from '../whole-file.ts';
import { readServerMajor, replacedSchema } from './back-up.ts';
import { checkServer } from './check-server.ts';
import { connectionOptions, type PostgresSettings } from './client.ts';
import { copyIn } from './copy-in.ts';
import { restartCounters } from './counters.ts';
import { StoreDialect } from './dialect.ts';
import { directSettings } from './open.ts';
import { checkProgram } from './programs.ts';
import { readDump } from './read-dump.ts';
import { setUpSession } from './session.ts';
import { tryLockMigrations } from './transactions.ts';

export async function restorePostgres(
  settings: PostgresSettings,
  file: string,
  options: RestoreOptions,
): Promise<Restored> {
  return await explained(settings, async () => {
    const client = new pg.Client(connectionOptions(directSettings(settings)));
    client.on('error', () => {});
    await client.connect();
    await setUpSession(client, 0);
    // Kysely and the copies of rows share the connection, and so the transaction.
    const pool = {
      connect: async () => Object.assign(client, { release() {} }),
      end: () => client.end(),
      options: {},
    };
    const db = new Kysely<Tables>({ dialect: new StoreDialect({ pool }) });
    return await restoreOn(client, db, settings, file, options).finally(() => db.destroy());
  });
}

async function restoreOn(
  client: pg.Client,
  db: Db,
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
  const old = await listApplied(db);
  const moves = await listMoves(db, `${replacedSchema}${timeName().toLowerCase()}`);
  const hasStore = moves !== undefined;
  if (hasStore && !isForced) {
    throw new StartError('The database has a store already; --force replaces it, and keeps it aside.');
  }
  const { schema, applied } = await readMigrations(file);
  await checkNotNewer(db, applied, migrations).catch((error: unknown) => {
    throw error instanceof MigrationError ? new StartError(`${file} ${error.message}`) : error;
  });
  const unknown = hasStore ? await whyUnknown(db, old, applied) : 'none';
  const ended = await db.transaction().execute(async (db): Promise<Ended> => {
    for (const statement of moves?.statements ?? []) await sql.raw(statement).execute(db);
    const tables = await makeTables(db, applied);
    await loadRows(client, db, tables, { file, schema, onStep }).catch((error: unknown) => {
      throw asFileFault(file, error);
    });
    await sql`delete from sessions`.execute(db);
    const statements = moves === undefined || unknown !== undefined ? [] : reapplyStatements(moves.aside);
    const lines: string[] = [];
    for (const statement of statements) {
      const { rows } = await sql.raw<{ line: string }>(statement).execute(db);
      lines.push(...rows.map(({ line }) => line));
    }
    await sql`notify catalogue`.execute(db);
    return unknown === undefined ? readReapplied(lines) : { again: nothingReapplied(), unknown };
  });
  const notes: string[] = [];
  if (applied.length === Object.keys(migrations).length) await finish(db, ended.again);
  else if (ended.again.erased.length > 0) notes.push(unfinishedErasures);
  onStep('gathering statistics for the planner', 0);
  await sql`analyze`.execute(db);
  return { ...(await countRows(db)), ...ended, notes, replaced: moves?.aside };
}

type DumpedMigration = AppliedMigration & { timestamp: string };

/** @returns the schema of the dump's store, and its migrations. */
async function readMigrations(file: string): Promise<{ schema: string; applied: DumpedMigration[] }> {
  const applied: DumpedMigration[] = [];
  let home: string | undefined;
  for await (const { schema, columns, rows } of readDump(file, '--table=kysely_migration')) {
    if (home !== undefined) throw new StartError(`${file} has several stores.`);
    home = schema;
    let text = '';
    for await (const chunk of rows) {
      text += chunk;
      if (text.length > maxMigrationsLength) throw new StartError(`${file} is no backup of a store.`);
    }
    for (const line of text.split('\n').slice(0, -1)) {
      const cells = new Map(line.split('\t').map((cell, index) => [columns[index], cell]));
      const { name = '', timestamp = '', fingerprint = '\\N' } = Object.fromEntries(cells);
      applied.push({ name, timestamp, fingerprint: fingerprint === '\\N' ? null : fingerprint });
    }
  }
  if (home === undefined) throw new StartError(`${file} has no store in it.`);
  return { schema: home, applied };
}

const maxMigrationsLength = 1_000_000;

/** Names of columns by the name of their table. */
type TableColumns = Map<string, string[]>;

/** Makes the tables as a start does, so that they have nothing of the file. @returns all but the one of the migrations; they are empty. */
async function makeTables(
  db: Transaction<Tables>,
  applied: readonly DumpedMigration[],
): Promise<TableColumns> {
  const others = await listTables(db);
  const names = new Set(applied.map(({ name }) => name));
  await applyMissing(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => names.has(name))));
  // The moments of the migrations tell one store from another.
  for (const { name, timestamp } of applied) {
    await db.updateTable('kysely_migration').set({ timestamp }).where('name', '=', name).execute();
  }
  const tables = await listTables(db);
  for (const name of ['kysely_migration', ...others.keys()]) tables.delete(name);
  for (const name of tables.keys()) await sql`delete from ${sql.table(name)}`.execute(db);
  return tables;
}

async function listTables(db: Db): Promise<TableColumns> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select relname as name, array_agg(attname::text) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    group by relname
  `.execute(db);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

type Load = { file: string; schema: string; onStep: RestoreOptions['onStep'] };

/** @throws {StartError} unless the dump has the rows of each table of the store, and of no other. */
async function loadRows(
  client: pg.Client,
  db: Db,
  tables: TableColumns,
  { file, schema: home, onStep }: Load,
): Promise<void> {
  const names = [...tables.keys()];
  const expected = new Map(tables);
  const laterDefinitions = await dropUntilLoaded(db, names);
  let bytes = 0;
  const counted = async function* (rows: AsyncIterable<Buffer>) {
    for await (const chunk of rows) {
      bytes += chunk.length;
      onStep('restoring', bytes);
      yield chunk;
    }
  };
  for await (const { schema, name, columns, encoding, rows } of readDump(file)) {
    if (schema === home && /^kysely_migration(_lock)?$/.test(name)) continue;
    const own = schema === home ? expected.get(name) : undefined;
    if (!own) throw new StartError(`${file} has rows of ${schema}.${name} that are not the store’s.`);
    expected.delete(name);
    const other =
      columns.find((column) => !own.includes(column)) ?? own.find((column) => !columns.includes(column));
    if (other !== undefined || columns.length !== own.length) {
      throw new StartError(
        `${file} has other columns in the table ${name} than the store, such as ${other}.`,
      );
    }
    const list = columns.map(pg.escapeIdentifier).join(', ');
    await copyIn(
      client,
      `copy ${pg.escapeIdentifier(name)} (${list}) from stdin (encoding ${pg.escapeLiteral(encoding)})`,
      counted(rows),
    );
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw new StartError(`${file} lacks the table ${missing}.`);
  for (const definition of laterDefinitions) await sql.raw(definition).execute(db);
  await restartCounters(db, names);
}

/**
 * Drops the indexes, which are made faster at once than row by row, and the foreign keys: the tables of a dump are in the order of their
 * names. No trigger runs meanwhile.
 * @returns the statements that make them again.
 */
async function dropUntilLoaded(db: Db, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ drop: string; make: string }>`
    with own as (
      select oid, relname from pg_class
      where relnamespace = current_schema()::regnamespace and relname = any(${tables})
    )
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
      from pg_index join own on indrelid = own.oid
      where not exists (select from pg_constraint where conindid = indexrelid)
    union all
    select format('alter table %I drop constraint %I', relname, conname),
      format('alter table %I add constraint %I %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
      from pg_constraint join own on conrelid = own.oid where contype = 'f'
    union all
    select format('alter table %I disable trigger user', relname), format('alter table %I enable trigger user', relname)
      from own
  `.execute(db);
  for (const { drop } of rows) await sql.raw(drop).execute(db);
  return rows.map(({ make }) => make);
}

/** PostgreSQL's classes of conditions for values that do not fit: data exception, integrity constraint, program limit. */
const asFileFault = (file: string, error: unknown): unknown =>
  error instanceof pg.DatabaseError && /^(22|23|54)/.test(error.code ?? '')
    ? new StartError(`${file} cannot be restored (${error.message}).`)
    : error;

/** A store that is damaged is replaced too: each table is read, so that no statement fails that runs after the dump. */
async function whyUnknown(
  db: Db,
  old: readonly AppliedMigration[],
  restored: readonly AppliedMigration[],
): Promise<UnknownEnded | undefined> {
  if (!knowsEnded(restored)) return 'tooOld';
  if (old.length > 0 && !knowsEnded(old)) return 'another';
  try {
    for (const query of Object.values(readQueries)) await sql.raw(query).execute(db);
    return undefined;
  } catch {
    return 'unreadable';
  }
}

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

type Moves = { aside: string; statements: string[] };

/**
 * @param aside another schema.
 * @returns statements that move everything of the store there, but not what belongs to an extension; undefined if there is no store.
 * One that is damaged may lack a table.
 */
async function listMoves(db: Db, aside: string): Promise<Moves | undefined> {
  const { rows } = await sql<{ statement: string }>`
    with store as (
      select relnamespace as oid from pg_class
      where oid = coalesce(to_regclass('kysely_migration'), to_regclass('books'), to_regclass('customers'))
    )
    select format('alter table %s set schema %I;', pg_class.oid::regclass, ${aside}::text) as statement
      from pg_class join store on relnamespace = store.oid
      where relkind in ('r', 'p', 'v', 'm')
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    union all
    select format('alter routine %s set schema %I;', pg_proc.oid::regprocedure, ${aside}::text)
      from pg_proc join store on pronamespace = store.oid
      where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  `.execute(db);
  if (rows.length === 0) return undefined;
  return { aside, statements: [`create schema ${aside};`, ...rows.map(({ statement }) => statement)] };
}
