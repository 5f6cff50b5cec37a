/** The ways to get a book, which the owner keeps. */

import { centsToAmount } from '../../contract/money.ts';
import type { Way } from '../../contract/ways.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';

const waysInOrder = (db: Db) =>
  db
    .selectFrom('ways')
    .select(['id', 'name', 'price_cents as priceCents', 'asks_address as asksAddress'])
    .select(['pay_on_collection as payOnCollection', 'line'])
    .orderBy('position')
    .orderBy('id');

/** `priceCents`: integer cents; `asksAddress` and `payOnCollection`: 0 or 1. */
export type StoredWay = Awaited<ReturnType<typeof listWays>>[number];

/** Lists the ways in the owner's order; an empty list means that the shop has none. */
export const listWays = (db: Db) => waysInOrder(db).execute();

export const presentWay = ({ priceCents, asksAddress, payOnCollection, ...way }: StoredWay): Way => ({
  ...way,
  price: { value: centsToAmount(priceCents) },
  asksAddress: asksAddress === 1,
  payOnCollection: payOnCollection === 1,
});

/** Far more than a buyer would read. */
const maxWays = 50;

/** The ways, locked until the end of the transaction. */
const lockWays = (db: Db) => engineOf(db).lockedInOrder(waysInOrder(db)).execute();

/** Adds a way, or replaces the way with its id. @param position from 1. @throws {Problem} TOO_MANY_WAYS. */
export async function setWay(db: Db, way: StoredWay, position?: number): Promise<void> {
  const ids = (await lockWays(db)).map(({ id }) => id);
  const others = ids.filter((id) => id !== way.id);
  if (others.length >= maxWays) throw new Problem('TOO_MANY_WAYS');
  const row = {
    name: way.name,
    price_cents: way.priceCents,
    asks_address: way.asksAddress,
    pay_on_collection: way.payOnCollection,
    line: way.line,
  };
  await db
    .insertInto('ways')
    .values({ id: way.id, ...row, position: 0 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  const kept = ids.includes(way.id) ? ids.indexOf(way.id) : others.length;
  const ordered = others.toSpliced(position === undefined ? kept : position - 1, 0, way.id);
  for (const [at, id] of ordered.entries()) {
    await db.updateTable('ways').set({ position: at }).where('id', '=', id).execute();
  }
}
