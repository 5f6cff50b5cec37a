/** Copies a store from SQLite to PostgreSQL (docs/decisions/0046). */

import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import type { OnStep } from '../backup/counts.ts';
import { checkMigrated, listApplied, migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { explained, openErrorMessage } from '../open-error.ts';
import { openUnlimited } from '../open-unlimited.ts';
import { checkServer } from '../postgres/check-server.ts';
import type { PostgresSettings } from '../postgres/client.ts';
import { restartCounters } from '../postgres/counters.ts';
import { tryLockMigrations } from '../postgres/transactions.ts';
import { lockFile } from '../sqlite/lock-file.ts';
import type { SqliteSettings } from '../sqlite/open.ts';
import type { Db } from '../tables.ts';
import { type Checksum, checksumOnPostgres, checksumOnSqlite } from './checksums.ts';
import {
  type CopiedTable,
  countTable,
  keyOf,
  listTables,
  type Row,
  readBatch,
  stateOf,
} from './sqlite-source.ts';

type CopiedTableResult = Checksum & { name: string };

/** A store refuses a database with a migration that it does not know. */
const unfinished = 'copy-is-not-finished';

/**
 * Copies every table to an empty database, and compares them afterwards. After a copy that was interrupted it goes on; if the file
 * was changed since, it begins anew.
 * @throws {StartError} when a process has the file open, the other database has a store, or a table differs in the end.
 */
export async function copyToPostgres(
  source: SqliteSettings,
  target: PostgresSettings,
  onStep: OnStep,
): Promise<CopiedTableResult[]> {
  await checkSource(source);
  const lock = lockFile(source.file);
  const { db, close } = openUnlimited(target);
  try {
    if (!lock.sqlite) throw new StartError(`${source.file} is damaged: restore a backup first.`);
    const { sqlite } = lock;
    return await db.connection().execute((db) => copy(sqlite, stateOf(source.file), db, onStep));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const message = openErrorMessage(error, target)?.replace(/^DATABASE(_DIRECT)?_URL: /, '--to: ');
    throw message === undefined ? error : new StartError(message);
  } finally {
    await close();
    lock.release();
  }
}

/** Before the lock, which readers of this process would wait for. @throws {StartError} if it is not of this version. */
async function checkSource(source: SqliteSettings): Promise<void> {
  const { db, close } = openUnlimited(source);
  await explained(source, () => checkMigrated(db, migrations)).finally(close);
}

async function copy(
  sqlite: DatabaseSync,
  state: string,
  db: Db,
  onStep: OnStep,
): Promise<CopiedTableResult[]> {
  const tables = await begin(db, sqlite, state);
  const types = new Map<string, ReadonlyMap<string, string>>();
  for (const table of tables) types.set(table.name, await typesOf(db, table));
  for (const table of tables) {
    await copyTable(sqlite, db, table, types.get(table.name) ?? new Map(), onStep);
  }
  const results: CopiedTableResult[] = [];
  for (const table of tables) {
    const all = countTable(sqlite, table.name);
    const show = (half: number) => (rows: number) =>
      onStep(`comparing ${table.name}`, 0, (half + rows / all) / 2);
    const own = checksumOnSqlite(sqlite, table, show(0));
    const copied = await checksumOnPostgres(db, table, types.get(table.name) ?? new Map(), show(1));
    if (own.rows !== copied.rows || own.checksum !== copied.checksum) {
      throw new StartError(
        `${table.name} differs after the copy: empty the database of --to, and copy again.`,
      );
    }
    results.push({ name: table.name, ...own });
  }
  onStep('gathering statistics for the planner', 0);
  await sql`analyze`.execute(db);
  await finish(
    db,
    tables.map(({ name }) => name),
  );
  return results;
}

/**
 * Makes the tables, and `colophon_copy`, which has the last copied key of each table.
 * @returns the tables to copy, each after those that it refers to.
 */
async function begin(db: Db, sqlite: DatabaseSync, state: string): Promise<CopiedTable[]> {
  if (!(await tryLockMigrations(db)))
    throw new StartError('--to: another process is at work on this database.');
  await checkServer(db);
  const existing = await listApplied(db);
  if (existing.length > 0 && !existing.some(({ name }) => name === unfinished)) {
    throw new StartError('--to: this database has a store already.');
  }
  await sql`create table if not exists colophon_copy (name text primary key, value text not null)`.execute(
    db,
  );
  // The mark comes with the tables, in one transaction: no store may start on a copy that was killed after it.
  await migrate(db, { ...migrations, [unfinished]: { async up() {} } });
  // The file may have tables that are not the store's: versions before 0.1.0 left one, and Litestream keeps two.
  const own = await listTableNames(db);
  const tables = listTables(sqlite).filter(({ name }) => own.has(name));
  const applied = sqlite.prepare('select name, timestamp from kysely_migration').all();
  await db.transaction().execute(async (db) => {
    for (const { name, timestamp } of applied) {
      await sql`update kysely_migration set timestamp = ${timestamp} where name = ${name}`.execute(db);
    }
    if ((await readProgress(db, 'state')) === state) return;
    // Empty tables, also of what the migrations have put in.
    await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db);
    await sql`delete from colophon_copy`.execute(db);
    await writeProgress(db, 'state', state);
  });
  return tables;
}

async function listTableNames(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
  `.execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function readProgress(db: Db, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select value from colophon_copy where name = ${name}`.execute(
    db,
  );
  return rows[0]?.value;
}

const writeProgress = (db: Db, name: string, value: string) =>
  sql`
    insert into colophon_copy (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value
  `.execute(db);

/** @returns the type of each column. @throws {StartError} if the columns are not those of the file. */
async function typesOf(db: Db, { name, columns }: CopiedTable): Promise<Map<string, string>> {
  const { rows } = await sql<{ column: string; type: string }>`
    select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${name}) and attnum > 0 and not attisdropped
  `.execute(db);
  const types = new Map(rows.map(({ column, type }) => [column, type]));
  if (types.size !== columns.length || columns.some((column) => !types.has(column))) {
    throw new StartError(`--to: the table ${name} has other columns there.`);
  }
  return types;
}

async function copyTable(
  sqlite: DatabaseSync,
  db: Db,
  table: CopiedTable,
  types: ReadonlyMap<string, string>,
  onStep: OnStep,
): Promise<void> {
  const all = countTable(sqlite, table.name);
  const progress = await readProgress(db, `table ${table.name}`);
  let { after, rows }: { after?: Row; rows: number } =
    progress === undefined ? { rows: 0 } : readKey(progress);
  for (;;) {
    onStep(`copying ${table.name}`, 0, all === 0 ? 1 : rows / all);
    const batch = readBatch(sqlite, table, after);
    const last = batch.at(-1);
    if (!last) return;
    after = keyOf(table, last);
    rows += batch.length;
    const progress = writeKey(after, rows);
    await db.transaction().execute(async (db) => {
      await insert(db, table, types, batch);
      await writeProgress(db, `table ${table.name}`, progress);
    });
  }
}

/** Keys are texts or whole numbers. */
const writeKey = (after: Row, rows: number): string =>
  JSON.stringify({
    after: after.map((cell) => (typeof cell === 'bigint' ? { number: String(cell) } : cell)),
    rows,
  });

function readKey(text: string): { after: Row; rows: number } {
  const { after, rows } = JSON.parse(text) as { after: (string | { number: string })[]; rows: number };
  return { after: after.map((cell) => (typeof cell === 'string' ? cell : BigInt(cell.number))), rows };
}

/** One array for each column: the statement is the same for each number of rows. */
async function insert(
  db: Db,
  { name, columns }: CopiedTable,
  types: ReadonlyMap<string, string>,
  rows: readonly Row[],
): Promise<void> {
  const arrays = columns.map(
    (column, index) => sql`${rows.map((row) => row[index])}::${sql.raw(types.get(column) ?? 'text')}[]`,
  );
  await sql`
    insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select * from unnest(${sql.join(arrays)})
  `.execute(db);
}

/** Sets the counters, and takes the mark away that keeps stores from starting. */
async function finish(db: Db, tables: readonly string[]): Promise<void> {
  await db.transaction().execute(async (db) => {
    await restartCounters(db, tables);
    await sql`delete from kysely_migration where name = ${unfinished}`.execute(db);
    await sql`drop table colophon_copy`.execute(db);
  });
}
