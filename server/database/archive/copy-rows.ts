/** Copies the rows of a store from a database to another one, of either engine, and compares them. */

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import type { Db } from '../tables.ts';

export type OnStep = (step: string) => void;

export type Table = { name: string; columns: string[]; keys: string[] };

/** `checksum`: the SHA-256 of the rows as text, in the order of their key; both engines give the same one. */
export type CopiedTable = { name: string; rows: number; checksum: string };

export type Row = Readonly<Record<string, unknown>>;

/** @param tables a table that others refer to comes before them. @throws {StartError} when a table differs in the end. */
export async function copyRows(
  source: Db,
  target: Db,
  tables: readonly Table[],
  onStep: OnStep,
): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    onStep(`copying ${table.name}`);
    const sum = await sumOf(source, table, (rows) => insertRows(target, table, rows));
    if (sum.checksum !== (await sumOf(target, table)).checksum) {
      throw new StartError(`${table.name} differs after the copy: nothing was copied.`);
    }
    copied.push({ name: table.name, ...sum });
  }
  return copied;
}

export async function insertRows(db: Db, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
  await sql`insert into ${sql.table(name)} (${listOf(columns)}) values ${sql.join(values)}`.execute(db);
}

export const listOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

async function sumOf(
  db: Db,
  table: Table,
  onRows?: (rows: Row[]) => Promise<void>,
): Promise<Omit<CopiedTable, 'name'>> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of readPages(db, table)) {
    count += rows.length;
    for (const row of rows) hash.update(JSON.stringify(table.columns.map((column) => asText(row[column]))));
    await onRows?.(rows);
  }
  return { rows: count, checksum: hash.digest('hex') };
}

const asText = (cell: unknown): string | null => {
  if (cell instanceof Uint8Array) return createHash('sha256').update(cell).digest('hex');
  return cell === null ? null : String(cell);
};

/** The batch is small, because some rows have files of a hundred kilobytes. */
const pageSize = 100;

async function* readPages(db: Db, { name, columns, keys }: Table): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const after = last && sql`where (${listOf(keys)}) > (${sql.join(keys.map((key) => last?.[key]))})`;
    const { rows } = await sql<Row>`
      select ${listOf(columns)} from ${sql.table(name)} ${after ?? sql``} order by ${listOf(keys)} limit ${pageSize}
    `.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}
