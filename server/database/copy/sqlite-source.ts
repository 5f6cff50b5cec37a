/** The tables of a SQLite file, read in the order of their keys. */

import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** `keys`: the columns of the primary key, in its order. */
export type CopiedTable = { name: string; columns: readonly string[]; keys: readonly string[] };

/** A value of a column of SQLite; whole numbers as they are, however large. */
export type Cell = string | bigint | number | Uint8Array | null;
export type Row = readonly Cell[];

/**
 * PostgreSQL has these in another way: the index of the search and the count of changes. The table of the migrations is made by
 * those of the other engine.
 */
const isLeftOut = (name: string): boolean =>
  /^(sqlite_|books_search)/.test(name) ||
  ['catalogue_changes', 'session_changes', 'kysely_migration'].includes(name);

/** @returns the tables to copy, each after those that it refers to. */
export function listTables(sqlite: DatabaseSync): CopiedTable[] {
  const names = column(sqlite, "select name from sqlite_schema where type = 'table' order by name").filter(
    (name) => !isLeftOut(name),
  );
  const ordered: string[] = [];
  const add = (name: string): void => {
    if (ordered.includes(name)) return;
    const others = column(sqlite, 'select distinct "table" from pragma_foreign_key_list(?)', name);
    for (const other of others) if (other !== name) add(other);
    ordered.push(name);
  };
  for (const name of names) add(name);
  return ordered.map((name) => ({
    name,
    columns: column(sqlite, 'select name from pragma_table_info(?) order by cid', name),
    keys: column(sqlite, 'select name from pragma_table_info(?) where pk > 0 order by pk', name),
  }));
}

const column = (sqlite: DatabaseSync, sql: string, ...values: SQLInputValue[]): string[] => {
  const statement = sqlite.prepare(sql);
  statement.setReturnArrays(true);
  return statement.all(...values).map((row) => String((row as unknown as string[])[0]));
};

export const countTable = (sqlite: DatabaseSync, table: string): number =>
  Number(sqlite.prepare(`select count(*) as count from "${table}"`).get()?.['count']);

/** A batch has at most so many rows, and not many more bytes of files. */
const maxRows = 2_000;
const maxBytes = 4_000_000;

/** @param after the key of the last row before the batch; undefined for the first one. */
export function readBatch(
  sqlite: DatabaseSync,
  { name, columns, keys }: CopiedTable,
  after: Row | undefined,
): Row[] {
  const list = (names: readonly string[]) => names.map((one) => `"${one}"`).join();
  const from = after ? `where (${list(keys)}) > (${keys.map(() => '?').join()})` : '';
  const statement = sqlite.prepare(
    `select ${list(columns)} from "${name}" ${from} order by ${list(keys)} limit ${maxRows}`,
  );
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...((after ?? []) as SQLInputValue[])) as Iterable<unknown>) {
    const cells = row as Row;
    rows.push(cells);
    bytes += cells.reduce<number>((sum, cell) => sum + (cell instanceof Uint8Array ? cell.length : 0), 0);
    if (bytes > maxBytes) break;
  }
  return rows;
}

/** @returns the key of a row. */
export const keyOf = ({ columns, keys }: CopiedTable, row: Row): Cell[] =>
  keys.map((key) => row[columns.indexOf(key)] ?? null);

/** @returns a text that another one takes the place of when the file, which no process has open, is changed. */
export function stateOf(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
