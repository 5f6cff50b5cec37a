import { amountToCents, centsToAmount } from '../../contract/money.ts';
import { tidyText } from '../../contract/pasted-text.ts';
import type { Way, WaySettings } from '../../contract/ways.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { missing, Problem } from '../http/problems.ts';

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

/** Adds a way, or replaces the way with its id. @throws {Problem} TOO_MANY_WAYS. */
export async function setWay(db: Db, id: string, settings: WaySettings, actor: Actor): Promise<void> {
  const { name, price, asksAddress = false, payOnCollection = false, line = '', position } = settings;
  const row = {
    ...{ name: tidyText(name), price_cents: amountToCents(price.value) ?? 0, line: tidyText(line) },
    ...{ asks_address: Number(asksAddress), pay_on_collection: Number(payOnCollection) },
  };
  await db.transaction().execute(async (db) => {
    const known = (await engineOf(db).lockedInOrder(waysInOrder(db)).execute()).map((way) => way.id);
    const ids = known.includes(id) ? known : [...known, id];
    if (ids.length > maxWays) throw new Problem('TOO_MANY_WAYS');
    const at = position === undefined ? ids.indexOf(id) : position - 1;
    await db
      .insertInto('ways')
      .values({ id, ...row, position: 0 })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    const ordered = ids.filter((one) => one !== id).toSpliced(at, 0, id);
    for (const [position, way] of ordered.entries())
      await db.updateTable('ways').set({ position }).where('id', '=', way).execute();
    const details = { name: row.name, price: centsToAmount(row.price_cents) };
    await recordActivity(db, 'way-set', actor, { subject: id, details });
  });
}

/** Orders keep it. @throws {Problem} WAY_NOT_FOUND. */
export async function removeWay(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (db) => {
    const removal = db.deleteFrom('ways').where('id', '=', id).returning('name');
    const details = await removal.executeTakeFirstOrThrow(missing('WAY_NOT_FOUND'));
    await recordActivity(db, 'way-removed', actor, { subject: id, details });
  });
}
