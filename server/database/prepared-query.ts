/**
 * Queries of the hottest paths, built and compiled once an engine: Kysely's building costs several times what SQLite
 * takes to run them (docs/decisions/0004).
 */

import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './tables.ts';

/** Stands in a compiled query for a value that comes with each run. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * @param build builds the query; `slot` gives what stands for a value by its name.
 * @returns runs the query with the values, and answers its rows.
 */
export function preparedQuery<Values extends Record<string, unknown>, Row>(
  build: (db: Db, slot: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const compiled = new Map<unknown, CompiledQuery<Row>>();

  return async (db, values) => {
    const engine = db.getExecutor().adapter.constructor;
    let query = compiled.get(engine);
    if (!query) {
      // To Kysely a slot is a value like any other: it ends up, untouched, among the parameters.
      query = build(db, (name) => new Slot(name) as unknown as Values[typeof name]).compile();
      compiled.set(engine, query);
    }
    const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
