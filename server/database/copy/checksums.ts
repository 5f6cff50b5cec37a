/** Checksums of a table that are the same on both engines: of its rows in the order of their key, as text. */

import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Db } from '../tables.ts';
import { type Cell, type CopiedTable, keyOf, type Row, readBatch } from './sqlite-source.ts';

export type Checksum = { rows: number; checksum: string };

const asText = (cell: Cell): string | null => {
  if (cell === null || typeof cell === 'string') return cell;
  return cell instanceof Uint8Array ? createHash('sha256').update(cell).digest('hex') : String(cell);
};

export function checksumOnSqlite(
  sqlite: DatabaseSync,
  table: CopiedTable,
  onRows: (rows: number) => void,
): Checksum {
  const hash = createHash('sha256');
  let rows = 0;
  for (let after: Row | undefined; ; ) {
    const batch = readBatch(sqlite, table, after);
    const last = batch.at(-1);
    if (!last) return { rows, checksum: hash.digest('hex') };
    for (const row of batch) hash.update(JSON.stringify(row.map(asText)));
    rows += batch.length;
    after = keyOf(table, last);
    onRows(rows);
  }
}

const pageSize = 2_000;

/** @param types of the columns, as PostgreSQL calls them. */
export async function checksumOnPostgres(
  db: Db,
  table: CopiedTable,
  types: ReadonlyMap<string, string>,
  onRows: (rows: number) => void,
): Promise<Checksum> {
  const hash = createHash('sha256');
  const keys = sql.join(table.keys.map((key) => sql.ref(key)));
  const texts = table.columns.map((column) =>
    types.get(column) === 'bytea'
      ? sql`encode(sha256(${sql.ref(column)}), 'hex')`
      : sql`${sql.ref(column)}::text`,
  );
  let rows = 0;
  for (let after: (string | null)[] | undefined; ; ) {
    const values = (after ?? []).map(
      (value, index) => sql`${value}::${sql.raw(types.get(table.keys[index] ?? '') ?? 'text')}`,
    );
    const { rows: page } = await sql<{ cells: (string | null)[] }>`
      select array[${sql.join(texts)}] as cells from ${sql.table(table.name)}
      ${after ? sql`where (${keys}) > (${sql.join(values)})` : sql``} order by ${keys} limit ${pageSize}
    `.execute(db);
    const last = page.at(-1);
    if (!last) return { rows, checksum: hash.digest('hex') };
    for (const { cells } of page) hash.update(JSON.stringify(cells));
    rows += page.length;
    after = table.keys.map((key) => last.cells[table.columns.indexOf(key)] ?? null);
    onRows(rows);
  }
}
