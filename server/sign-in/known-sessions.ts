/**
 * Sessions that were looked up before, because a look-up is a tenth of what an order costs (docs/decisions/0059). On SQLite a known one
 * is used only while the database counts no change of any session or customer, by any process: so one that was ended, blocked or erased
 * is never used. PostgreSQL has no such count, and there only a statement that checks the session too may use what was found last.
 */

import { isDeepStrictEqual } from 'node:util';
import { BoundedMap } from '../database/bounded-map.ts';
import { sessionChangesOf } from '../database/session-changes.ts';
import type { Db } from '../database/tables.ts';

/** With more, the one that has been known for longest is forgotten. */
const maxKnown = 2_000;

type Known<Row> = { changes: number; row: Row };

const knownByDb = new WeakMap<Db, Map<string, Known<unknown>>>();

/** @returns what {@link findKnown} returned last: the session may have ended since. */
export const lastFound = <Row>(db: Db, key: string): Row | undefined =>
  knownByDb.get(db)?.get(key)?.row as Row | undefined;

/**
 * @param key of everything that the result depends on, besides the tables.
 * @param find looks the session up.
 * @param isValid whether a known session still is one: it may have passed a limit since.
 * @returns the session, known or found; undefined if there is none.
 */
export async function findKnown<Row>(
  db: Db,
  key: string,
  find: () => Promise<Row | undefined>,
  isValid: (row: Row) => boolean,
): Promise<Row | undefined> {
  // Read before the session, so that a change which comes during the look-up makes it unknown.
  const changes = sessionChangesOf(db);
  const known = (knownByDb.get(db) ?? new BoundedMap({ maxEntries: maxKnown })) as Map<string, Known<Row>>;
  knownByDb.set(db, known);
  const last = known.get(key);
  if (last?.changes === changes && isValid(last.row)) return last.row;
  const row = await find();
  // Each new row would become one of V8's old objects.
  if (row !== undefined && last && isDeepStrictEqual(last.row, row)) {
    last.changes = changes;
    return last.row;
  }
  if (row === undefined) known.delete(key);
  else known.set(key, { changes, row });
  return row;
}
