/**
 * A few connections to PostgreSQL that only sessions and the check of readiness use: a lock on one table can hold all
 * others, and then every page would need one, and a balancer would take every node out (docs/decisions/0031).
 */

import type { Db } from './tables.ts';

const reserves = new WeakMap<Db, Db>();

/** Gives a handle a reserve, which its opener closes. */
export function setReserve(db: Db, reserve: Db): void {
  reserves.set(db, reserve);
}

/** @returns the handle of the reserve; the same handle where there is none, as on SQLite and in a transaction. */
export const reserveOf = (db: Db): Db => reserves.get(db) ?? db;
