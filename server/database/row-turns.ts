/** Reads long lists page by page, on the thread that serves visitors: their requests come between two pages. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

export const rowsPerTurn = 200;

export async function readInTurn<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  await nextTurn();
  return await read();
}

/** @param column a unique column of the rows, by which they are sorted. */
export async function* readPages<Joined, Table extends keyof Joined, Row, Column extends keyof Row & string>(
  query: SelectQueryBuilder<Joined, Table, Row>,
  column: Column,
  size = rowsPerTurn,
) {
  const key = sql.ref(column);
  const pages = query.orderBy(key).limit(size);
  for (let page = pages; ; ) {
    const rows = await readInTurn(() => page.execute());
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    page = pages.where(sql<SqlBool>`${key} > ${last[column]}`);
  }
}
