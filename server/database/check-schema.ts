/** Compares the tables, indexes, triggers, views and functions of a database with those that migrations make. */

import type { CompiledQuery } from 'kysely';
import { StartError } from '../start-error.ts';
import { engineOf, type SchemaOf } from './engine.ts';
import { statementsOf } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { Db } from './tables.ts';

/** @param applied the migrations. @returns the schema that they make in an empty database. */
export async function describeMigrated(
  db: Db,
  applied: readonly { name: string }[] = Object.keys(migrations).map((name) => ({ name })),
): Promise<SchemaOf> {
  const statements: CompiledQuery[] = [];
  for (const name of applied.map(({ name }) => name).sort()) {
    const migration = migrations[name];
    if (migration) statements.push(...(await statementsOf(db, migration)));
  }
  return await engineOf(db).describeMade(db, statements);
}

/** `runs`: SQLite runs it with the store's own statements: a trigger, or a view in the place of a table. */
type Difference = { sentence: string; runs: boolean };

/** @returns each difference of a schema from the expected one. */
export function compareSchemas(expected: SchemaOf, actual: SchemaOf): Difference[] {
  const differences: Difference[] = [];
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    const definition = actual.get(name);
    if (expected.get(name) === definition) continue;
    const fault = expected.has(name) ? 'is not as the migrations make it' : 'was not made by the store';
    differences.push({
      sentence: `${name} ${definition === undefined ? 'is missing' : fault}.`,
      runs: (expected.has(name) ? /^(trigger|view)\b/m : /^trigger\b/m).test(definition ?? ''),
    });
  }
  return differences;
}

/**
 * For a file of SQLite, which is restored as it is.
 * @param name how messages call the backup.
 * @returns what is not as the migrations make it.
 * @throws {StartError} if it has code that the migrations do not make, such as a trigger: statements of the store would run it.
 */
export function checkForeign(name: string, expected: SchemaOf, actual: SchemaOf): string[] {
  const differences = compareSchemas(expected, actual);
  const foreign = differences.find(({ runs }) => runs);
  if (foreign) throw new StartError(`${name} has code that is not the store’s: ${foreign.sentence}`);
  return differences.map(({ sentence }) => sentence);
}
