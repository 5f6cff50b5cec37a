/**
 * The limit of orders: durable inserts into a table like `orders`, one after another on each connection, and nothing else.
 * pgbench measures PostgreSQL, where it is installed; `node:sqlite` in a loop measures SQLite.
 */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openSqliteFile } from '../../../server/database/sqlite/file.ts';
import { findPostgresFolder } from '../../../server/testing/postgres-programs.ts';

export const columns =
  'customer_id, id, idempotency_key, request_hash, book_id, title, author, price_cents, time, buyer_name, buyer_email, placed_at';
export const fixedValues = `'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '019aa8a3-0000-7000-8000-000000000000',
  'The Quiet Harbour of Lisbon', 'Ada Whitlock', 1299, 'Fri Nov 21 2025', 'A Reader', 'reader@readers.example', 1763700000000`;

/** The table of PostgreSQL that the limits insert into, with the columns and indexes of `orders`. */
export const limitTable = 'create table if not exists limit_orders (like orders including all)';

/** The folder of pgbench; undefined where it is not installed. */
export const pgbenchFolder = findPostgresFolder('pgbench');

/** @param url of a database with the store's tables; a table is added to it. @returns inserts per second, by pgbench. */
export async function measurePostgresInserts(
  url: string,
  connections: number,
  seconds: number,
): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(limitTable);
  try {
    return await runPgbench(url, connections, seconds);
  } finally {
    await client.query('truncate limit_orders');
    await client.end();
  }
}

async function runPgbench(url: string, connections: number, seconds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const script = join(folder, 'insert.sql');
  await writeFile(
    script,
    `\\set customer random(1, 32)
insert into limit_orders (${columns})
values ('019aa8a3-0000-7000-8000-' || :customer, gen_random_uuid(), gen_random_uuid(), ${fixedValues.replaceAll('\n', ' ')});
`,
  );
  try {
    const { stdout } = await promisify(execFile)(join(pgbenchFolder ?? '', 'pgbench'), [
      ...['--no-vacuum', '--protocol=prepared', `--file=${script}`],
      ...[`--client=${connections}`, '--jobs=1', `--time=${seconds}`],
      url,
    ]);
    const perSecond = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    if (!perSecond) throw new Error(`pgbench printed no rate: ${stdout}`);
    return Number(perSecond);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param file a SQLite database, or where to create one. @returns inserts per second, by `node:sqlite` in a loop. */
export function measureSqliteInserts(file: string, seconds: number): number {
  const sqlite = openSqliteFile(file);
  sqlite.exec(
    `create table limit_orders (${columns}, primary key (customer_id, id), unique (customer_id, idempotency_key))`,
  );
  const insert = sqlite.prepare(`insert into limit_orders (${columns}) values (?, ?, ?, ${fixedValues})`);
  const startedAt = performance.now();
  let inserts = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    insert.run(`customer-${inserts % 32}`, randomUUID(), randomUUID());
    inserts += 1;
  }
  const insertsPerSecond = inserts / ((performance.now() - startedAt) / 1000);
  sqlite.exec('drop table limit_orders');
  sqlite.close();
  return insertsPerSecond;
}
