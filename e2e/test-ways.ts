import type { Insertable } from 'kysely';
import type { Db, Tables } from '../server/database/tables.ts';

type TestWay = Partial<Insertable<Tables['ways']>> & { id: string };

/** Makes these the ways of the shop, unseen by open pages. By default a way costs nothing and asks for nothing. */
export async function setWays(db: Db, ways: readonly TestWay[]): Promise<void> {
  await db.deleteFrom('ways').execute();
  const row = { price_cents: 0, asks_address: 0, pay_on_collection: 0, line: '' };
  for (const [position, way] of ways.entries()) {
    await db
      .insertInto('ways')
      .values({ ...row, name: way.id, position, ...way })
      .execute();
  }
}
