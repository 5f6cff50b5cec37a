/** How many changes of sessions and customers a database has counted: what was read of them at one count is the same at the same count. */

import type { Db } from './tables.ts';

const counts = new WeakMap<Db, () => number>();

/** @param count returns the changes by all processes, NaN while they are unknown. */
export function setSessionChanges(db: Db, count: () => number): void {
  counts.set(db, count);
}

/** @returns the count; NaN, which equals nothing, where the database has none: on PostgreSQL, and in a transaction. */
export const sessionChangesOf = (db: Db): number => counts.get(db)?.() ?? Number.NaN;

/** @returns whether a database has the count: true on SQLite, outside transactions. */
export const countsSessionChanges = (db: Db): boolean => counts.has(db);
