/** A page of rows, and the number of all. */
import type { AliasedExpression } from 'kysely';
import type { Db } from './tables.ts';

/** @param found the items of a page, and one more if more follow. @returns `last`: the item after which they follow. */
export function cutPage<Item>(found: readonly Item[], limit: number) {
  const items = found.slice(0, limit);
  return { items, last: found.length > limit ? items.at(-1) : undefined };
}

export async function countRows(
  db: Db,
  query: { as(name: 'counted'): AliasedExpression<object, 'counted'> },
): Promise<number> {
  const counting = db.selectFrom(query.as('counted')).select(({ fn }) => fn.countAll().as('count'));
  return Number((await counting.executeTakeFirstOrThrow()).count);
}
