/** Applies the migrations that a database lacks, and rejects one that other migrations made (docs/decisions/0022). */

import { createHash } from 'node:crypto';
import { type CompiledQuery, DummyDriver, Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from './engine.ts';
import { hasSchemaOf0001 } from './migrations/first-schema.ts';
import type { Db, Tables } from './tables.ts';
import { isUnavailable } from './unavailable.ts';

/** This version of the store cannot use the database. The message is a predicate whose subject is the database. */
export class MigrationError extends Error {}

/** A start brings the database up to date. */
export class OutdatedError extends MigrationError {
  constructor() {
    super('is not of this version of the store: a start of the store brings it up to date.');
  }
}

const madeByAnother = (difference: string) =>
  new MigrationError(
    `was made by another version of the store, ${difference}: start that version, or use another database.`,
  );

/** The tables are not those that the migrations made: something else has changed them. An engine that is away stays its own error. */
const wasNotApplied = (name: string, cause: unknown): unknown =>
  isUnavailable(cause)
    ? cause
    : new MigrationError(
        `could not be brought up to date by the migration ${name}: ${cause instanceof Error ? cause.message : cause}. It is unchanged.`,
        { cause },
      );

/**
 * Brings the tables up to date in one transaction. Of several processes that start at once one does it, and the others
 * wait: on SQLite for the write lock, on PostgreSQL for an advisory lock.
 * @param migrations by name; they run in the order of their names.
 * @param onMigration called with the name of each that is about to run, unless the database is new.
 * @returns the names of the migrations that it has applied.
 * @throws {MigrationError} if the applied migrations are not the first of these, or one cannot be applied. The database is then
 * unchanged.
 */
export async function migrate(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
  onMigration: (name: string) => void = () => {},
): Promise<string[]> {
  // Whatever PostgreSQL's default: what is read after the wait for the lock must not be older than the lock.
  return await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (db) => {
      await engineOf(db).lockMigrations(db);
      return await applyMissing(db, migrations, onMigration);
    });
}

/** {@link migrate} inside a transaction, without its lock. */
export async function applyMissing(
  db: Transaction<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  onMigration: (name: string) => void = () => {},
): Promise<string[]> {
  const sorted = Object.entries(migrations).sort(([one], [other]) => (one < other ? -1 : 1));
  const names: string[] = [];
  const applied = await readFingerprints(db);
  checkNames([...applied.keys()].sort(), Object.keys(migrations).sort());
  for (const [name, migration] of sorted) {
    const recorded = applied.get(name);
    const fingerprint = await fingerprintOf(db, migration);
    if (recorded === undefined) {
      if (applied.size > 0) onMigration(name);
      await migration.up(db).catch((cause: unknown) => {
        throw wasNotApplied(name, cause);
      });
      const timestamp = new Date().toISOString();
      await db.insertInto('kysely_migration').values({ name, timestamp, fingerprint }).execute();
      names.push(name);
    } else if (recorded === null && name.startsWith('0001-') && (await hasSchemaOf0001(db))) {
      await db.updateTable('kysely_migration').set({ fingerprint }).where('name', '=', name).execute();
    } else if (recorded !== fingerprint) {
      throw madeByAnother(`whose migration ${name} differs`);
    }
  }
  return names;
}

/**
 * Checks that a database has exactly these migrations, and changes nothing.
 * @throws {OutdatedError} if it lacks one. @throws {MigrationError} if other migrations made it.
 */
export async function checkMigrated(db: Db, migrations: Readonly<Record<string, Migration>>): Promise<void> {
  const applied = await listApplied(db);
  if (applied.length > 0) await checkNotNewer(db, applied, migrations);
  const known = applied.filter(({ fingerprint }) => fingerprint !== null);
  if (known.length < Object.keys(migrations).length) throw new OutdatedError();
}

/** A migration that a database has recorded. */
export type AppliedMigration = { name: string; fingerprint: string | null };

/** @returns the migrations that a database has recorded; none if it is not one of the store. It changes nothing. */
export async function listApplied(db: Db): Promise<AppliedMigration[]> {
  const columns = await engineOf(db).listColumns(db, 'kysely_migration');
  if (columns.length === 0) return [];
  const rows = await db.selectFrom('kysely_migration').selectAll().execute();
  return rows.map(({ name, fingerprint }) => ({ name, fingerprint: fingerprint ?? null }));
}

/**
 * Checks that this version of the store made a database, or one that it can bring up to date.
 * @param db any database of the same engine.
 * @throws {MigrationError} for no migration, other migrations, or newer ones.
 */
export async function checkNotNewer(
  db: Db,
  applied: readonly AppliedMigration[],
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  if (applied.length === 0) throw new MigrationError('has no store in it.');
  checkNames(applied.map(({ name }) => name).sort(), Object.keys(migrations).sort());
  for (const { name, fingerprint } of applied) {
    const migration = migrations[name];
    if (migration && fingerprint !== null && fingerprint !== (await fingerprintOf(db, migration))) {
      throw madeByAnother(`whose migration ${name} differs`);
    }
  }
}

/** @returns the fingerprint of each applied migration by its name; null where an older version recorded none. */
async function readFingerprints(db: Db): Promise<ReadonlyMap<string, string | null>> {
  const columns = await engineOf(db).listColumns(db, 'kysely_migration');
  if (columns.length === 0) {
    await db.schema
      .createTable('kysely_migration')
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute();
  }
  if (!columns.includes('fingerprint')) {
    await db.schema.alterTable('kysely_migration').addColumn('fingerprint', 'varchar(255)').execute();
  }
  const rows = await db.selectFrom('kysely_migration').select(['name', 'fingerprint']).execute();
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

function checkNames(applied: readonly string[], names: readonly string[]): void {
  const index = applied.findIndex((name, index) => name !== names[index]);
  const name = applied[index];
  if (name === undefined) return;
  if (names.includes(name)) throw madeByAnother(`which lacks the migration ${names[index]}`);
  const version = names.every((other) => other < name) ? 'a newer' : 'another';
  throw new MigrationError(
    `was changed by ${version} version of the store: start one that has the migration ${name}, or use another database.`,
  );
}

/** @returns the SHA-256 of the statements that a migration executes on this engine. */
export async function fingerprintOf(db: Db, migration: Migration): Promise<string> {
  const hash = createHash('sha256');
  for (const { sql, parameters } of await statementsOf(db, migration))
    hash.update(JSON.stringify([sql, parameters]));
  return hash.digest('hex');
}

/** The statements of a migration are compiled and not executed, so a query of the migration finds no rows. */
export async function statementsOf(db: Db, migration: Migration): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = [];
  const dryRun = new Kysely({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => db.getExecutor().adapter,
      createQueryCompiler: () => db.getExecutor(),
      createIntrospector: () => db.introspection,
    },
    log({ query }) {
      statements.push(query as CompiledQuery);
    },
  });
  await migration.up(dryRun);
  return statements;
}
