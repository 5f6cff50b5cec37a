/** Copies a store from SQLite to PostgreSQL, as a whole or not at all (docs/decisions/0046). */

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { checkMigrated, listApplied } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { openUnlimited } from '../open.ts';
import { explained, openErrorMessage } from '../open-error.ts';
import { tryLockMigrations } from '../postgres/dialect.ts';
import type { PostgresSettings } from '../postgres/pools.ts';
import { checkServer } from '../postgres/session.ts';
import type { SqliteSettings } from '../sqlite/open.ts';
import type { Db } from '../tables.ts';
import type { OnStep } from './counts.ts';
import { type Connection, loadRows, makeEmptyTables, type Table, withConnection } from './fill-postgres.ts';
import { lockFile } from './sqlite-lock.ts';

/** `checksum`: the SHA-256 of the rows in the order of their key, as text; the same on both engines. */
type CopiedTable = { name: string; rows: number; checksum: string };

/** @throws {StartError} when a process has the file open, the other database has a store, or a table differs in the end. */
export async function copyToPostgres(
  source: SqliteSettings,
  target: PostgresSettings,
  onStep: OnStep,
): Promise<CopiedTable[]> {
  // Before the lock, which readers of this process would wait for.
  const { db, close } = await openUnlimited(source);
  await explained(source, () => checkMigrated(db, migrations)).finally(close);
  const lock = lockFile(source.file);
  try {
    const own = lock.db;
    if (!own) throw new StartError(`${source.file} is damaged: restore a backup first.`);
    return await withConnection(target, (connection) => copy(own, connection, onStep));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const message = openErrorMessage(error, target)?.replace(/^DATABASE(_DIRECT)?_URL: /, '--to: ');
    throw message === undefined ? error : new StartError(message);
  } finally {
    lock.release();
  }
}

async function copy(own: Db, connection: Connection, onStep: OnStep): Promise<CopiedTable[]> {
  const { db } = connection;
  if (!(await tryLockMigrations(db)))
    throw new StartError('--to: another process is at work on this database.');
  await checkServer(db);
  if ((await listApplied(db)).length > 0) throw new StartError('--to: this database has a store already.');
  const copied = await db.transaction().execute(async (db) => {
    const tables = await makeEmptyTables(db, await listApplied(own));
    const source = tables.map((table) => ({ ...table, encoding: 'UTF8', rows: linesOf(own, table, onStep) }));
    await loadRows({ client: connection.client, db }, tables, source, '--to: the file');
    const copied: CopiedTable[] = [];
    for (const table of tables) {
      onStep(`comparing ${table.name}`, 0);
      const [sum, other] = [await sumOf(own, table), await sumOf(db, table)];
      if (sum.rows !== other.rows || sum.checksum !== other.checksum) {
        throw new StartError(`${table.name} differs after the copy: nothing was copied.`);
      }
      copied.push({ name: table.name, ...sum });
    }
    return copied;
  });
  onStep('gathering statistics for the planner', 0);
  await sql`analyze`.execute(db);
  return copied;
}

type Row = Readonly<Record<string, unknown>>;

/** Some rows have files of a hundred kilobytes. */
const pageSize = 100;

/** Reads a table in the order of its key, on either engine. */
async function* pagesOf(db: Db, { name, columns, keys }: Table): AsyncGenerator<Row[]> {
  const list = (names: readonly string[]) => sql.join(names.map((one) => sql.ref(one)));
  for (let last: Row | undefined; ; ) {
    const after = last && sql`where (${list(keys)}) > (${sql.join(keys.map((key) => last?.[key]))})`;
    const { rows } = await sql<Row>`
      select ${list(columns)} from ${sql.table(name)} ${after ?? sql``} order by ${list(keys)} limit ${pageSize}
    `.execute(db);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}

async function sumOf(db: Db, table: Table): Promise<Omit<CopiedTable, 'name'>> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of pagesOf(db, table)) {
    count += rows.length;
    for (const row of rows) hash.update(JSON.stringify(table.columns.map((column) => asText(row[column]))));
  }
  return { rows: count, checksum: hash.digest('hex') };
}

const asText = (cell: unknown): string | null => {
  if (cell instanceof Uint8Array) return createHash('sha256').update(cell).digest('hex');
  return cell === null ? null : String(cell);
};

async function* linesOf(own: Db, table: Table, onStep: OnStep): AsyncGenerator<Buffer> {
  onStep(`copying ${table.name}`, 0);
  for await (const rows of pagesOf(own, table)) {
    const lines = rows.map((row) => table.columns.map((column) => copyText(row[column])).join('\t'));
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A cell as `copy … from stdin` reads it. */
const copyText = (cell: unknown): string => {
  if (cell === null) return '\\N';
  if (cell instanceof Uint8Array) return `\\\\x${Buffer.from(cell).toString('hex')}`;
  return String(cell).replace(/[\\\n\r\t]/g, (sign) => escapes[sign] ?? sign);
};
