/** Applies the migrations that a database lacks, and refuses one that other migrations made (docs/decisions/0022). */

import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { engineOf } from './engine.ts';
import type { Db } from './tables.ts';
import { isUnavailable } from './unavailable.ts';

/** This version of the store cannot use the database. The message is a predicate whose subject is the database. */
export class MigrationError extends Error {}

export class OutdatedError extends MigrationError {
  constructor(isEmpty: boolean) {
    super(
      isEmpty
        ? 'has no tables of the store: its first start makes them.'
        : 'is not of this version of the store: a start of the store brings it up to date.',
    );
  }
}

type Migrations = Readonly<Record<string, Migration>>;

/** Migrates in one transaction. Of several processes that start at once one does it, the others wait. @throws {MigrationError} The tables are then unchanged. */
export async function migrate(
  db: Db,
  migrations: Migrations,
  onMigration: (name: string) => void = () => {},
): Promise<string[]> {
  const applied = await listApplied(db);
  checkNames(applied, migrations);
  if (applied.length === Object.keys(migrations).length) return [];
  const announced = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    {
      up(db) {
        if (applied.length > 0) onMigration(name);
        return up(db);
      },
    },
  ]);
  // The schema is named: another schema may have a store that a restore has replaced, and the migrator would find its record.
  const schema = sql<{ migrationTableSchema: string }>`select current_schema() as "migrationTableSchema"`;
  const { rows } = engineOf(db).name === 'postgres' ? await schema.execute(db) : { rows: [] };
  const provider = { getMigrations: async () => Object.fromEntries(announced) };
  const { error, results = [] } = await new Migrator({ db, provider, ...rows[0] }).migrateToLatest();
  const failed = results.find(({ status }) => status === 'Error');
  if (failed && !isUnavailable(error)) {
    const reason = error instanceof Error ? error.message : error;
    throw new MigrationError(
      `could not be brought up to date by the migration ${failed.migrationName}: ${reason}. It is unchanged.`,
      { cause: error },
    );
  }
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

export async function checkMigrated(db: Db, migrations: Migrations): Promise<void> {
  const applied = await listApplied(db);
  checkNames(applied, migrations);
  if (applied.length < Object.keys(migrations).length) throw new OutdatedError(applied.length === 0);
}

/** The times of the migrations identify a store: a copy has the same times. */
export type AppliedMigration = { name: string; timestamp: string };

export async function listApplied(db: Db): Promise<AppliedMigration[]> {
  const columns = await engineOf(db).listColumns(db, 'kysely_migration');
  if (columns.length === 0) return [];
  return await db.selectFrom('kysely_migration').select(['name', 'timestamp']).orderBy('name').execute();
}

export function checkNotNewer(applied: readonly AppliedMigration[], migrations: Migrations): void {
  if (applied.length === 0) throw new MigrationError('has no store in it.');
  checkNames(applied, migrations);
}

function checkNames(applied: readonly AppliedMigration[], migrations: Migrations): void {
  const names = Object.keys(migrations).sort();
  const index = applied.findIndex(({ name }, index) => name !== names[index]);
  const name = applied[index]?.name;
  if (name === undefined) return;
  const difference = names.includes(name)
    ? `lacks the migration ${names[index]}`
    : `has the migration ${name}`;
  throw new MigrationError(
    `was made by another version of the store, which ${difference}: start that version, or use another database.`,
  );
}

/** Makes the tables of another version, with its record. @param db a transaction, in whose schema there is no store. */
export async function makeTables(
  db: Db,
  migrations: Migrations,
  applied: readonly AppliedMigration[],
): Promise<void> {
  await db.schema
    .createTable('kysely_migration')
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  for (const { name, timestamp } of applied) {
    await migrations[name]?.up(db);
    await db.insertInto('kysely_migration').values({ name, timestamp }).execute();
  }
}
