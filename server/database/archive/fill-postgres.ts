/** Makes a store's tables on PostgreSQL and fills them, in one transaction of the caller's. */

import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { StartError } from '../../start-error.ts';
import { type AppliedMigration, makeTables } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { StoreDialect } from '../postgres/dialect.ts';
import { directSettings } from '../postgres/open.ts';
import { connectionOptions, type PostgresSettings } from '../postgres/pools.ts';
import { setUpSession } from '../postgres/session.ts';
import type { Db, Tables } from '../tables.ts';
import { copyIn } from './copy-in.ts';

/** One connection: Kysely and the copies of rows share it, and so the transaction. */
export type Connection = { client: pg.Client; db: Kysely<Tables> };

export async function withConnection<Result>(
  settings: PostgresSettings,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connectionOptions(directSettings(settings)));
  client.on('error', () => {});
  await client.connect();
  await setUpSession(client, 0);
  const pool = {
    connect: async () => Object.assign(client, { release() {} }),
    end: () => client.end(),
    options: {},
  };
  const db = new Kysely<Tables>({ dialect: new StoreDialect({ pool }) });
  return await work({ client, db }).finally(() => db.destroy());
}

/** A table of the store. `keys`: the columns of its primary key. */
export type Table = { name: string; columns: string[]; keys: string[] };

/** Makes the tables as a start does, so that they have nothing of the source. @returns all but the one of the migrations; they are empty. */
export async function makeEmptyTables(db: Db, applied: readonly AppliedMigration[]): Promise<Table[]> {
  const others = new Set((await listTables(db)).map(({ name }) => name));
  await makeTables(db, migrations, applied);
  const tables = (await listTables(db)).filter(
    ({ name }) => name !== 'kysely_migration' && !others.has(name),
  );
  // Some migrations put in rows of their own.
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db);
  return tables;
}

async function listTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select relname as name, array_agg(attname::text order by attnum) as columns,
      array_agg(attname::text order by array_position(conkey, attnum)) filter (where attnum = any(conkey)) as keys
    from pg_class join pg_attribute on attrelid = pg_class.oid
    left join pg_constraint on conrelid = pg_class.oid and contype = 'p'
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    group by relname
  `.execute(db);
  return rows;
}

/** `rows` are as `copy` reads them, in an encoding by PostgreSQL's name. */
export type TableRows = {
  name: string;
  columns: readonly string[];
  encoding: string;
  rows: AsyncIterable<Buffer>;
};

/** @throws {StartError} unless the source has the rows of each table, and of no other. @param from what has the rows. */
export async function loadRows(
  { client, db }: { client: pg.Client; db: Db },
  tables: readonly Table[],
  source: Iterable<TableRows> | AsyncIterable<TableRows>,
  from: string,
): Promise<void> {
  const names = tables.map(({ name }) => name);
  const expected = new Map(tables.map((table) => [table.name, table.columns]));
  const later = await dropUntilLoaded(db, names);
  for await (const { name, columns, encoding, rows } of source) {
    const own = expected.get(name);
    if (!own) throw new StartError(`${from} has rows of ${name} that are not the store’s.`);
    expected.delete(name);
    const other = [...columns, ...own].find((one) => !columns.includes(one) || !own.includes(one));
    if (other !== undefined) {
      throw new StartError(
        `${from} has other columns in the table ${name} than the store, such as ${other}.`,
      );
    }
    const list = columns.map(pg.escapeIdentifier).join(', ');
    const format = `(encoding ${pg.escapeLiteral(encoding)})`;
    await copyIn(client, `copy ${pg.escapeIdentifier(name)} (${list}) from stdin ${format}`, rows);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw new StartError(`${from} lacks the table ${missing}.`);
  for (const definition of later) await sql.raw(definition).execute(db);
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

/** Each goes on after the highest number that was loaded. */
async function restartCounters(db: Db, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ statement: string }>`
    select format('select setval(%L, coalesce(max(%I), 1), max(%I) is not null) from %I',
      pg_get_serial_sequence(quote_ident(relname), attname), attname, attname, relname) as statement
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relname = any(${tables}) and attnum > 0
      and not attisdropped and pg_get_serial_sequence(quote_ident(relname), attname) is not null
  `.execute(db);
  for (const { statement } of rows) await sql.raw(statement).execute(db);
}
