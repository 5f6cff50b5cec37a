/** The ways to get a book, which the owner keeps. */

import { centsToAmount } from '../../contract/money.ts';
import type { Way } from '../../contract/ways.ts';
import type { Db } from '../database/tables.ts';

/** `priceCents`: integer cents. */
export type StoredWay = Awaited<ReturnType<typeof listWays>>[number];

/** Lists the ways in the owner's order; an empty list means that the shop has none. */
export const listWays = (db: Db) =>
  db
    .selectFrom('ways')
    .select(['id', 'name', 'price_cents as priceCents', 'asks_address as asksAddress'])
    .select(['pay_on_collection as payOnCollection', 'line'])
    .orderBy('position')
    .orderBy('id')
    .execute();

export const presentWay = ({ priceCents, asksAddress, payOnCollection, ...way }: StoredWay): Way => ({
  ...way,
  price: { value: centsToAmount(priceCents) },
  asksAddress: asksAddress === 1,
  payOnCollection: payOnCollection === 1,
});
