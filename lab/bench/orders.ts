/** The section of orders: the store beside the least that a durable order costs, and beside Express. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import {
  type Bench,
  fewBooks,
  newRow,
  p50s,
  p99s,
  type Row,
  rateTarget,
  ratios,
  type Section,
  type Target,
} from './bench.ts';
import * as calls from './calls.ts';
import type { FilledDatabase } from './databases.ts';
import { measurePostgresInserts, measureSqliteInserts, pgbenchFolder } from './limits/inserts.ts';
import { peerName, startFilledPeer, startInsertServer, startStores, storeOn } from './processes.ts';
import { loadTable } from './tables.ts';
import { defaultConnections, measureByWrk } from './wrk.ts';

export async function measureOrders(bench: Bench): Promise<Section> {
  const databases = await bench.fill(fewBooks);
  const { SQLite, PostgreSQL } = databases;
  const stores = await startStores(bench, databases, 'orders');
  const peer = await startFilledPeer(bench, PostgreSQL, 'orders');
  const insertServer = await bench.start(startInsertServer(PostgreSQL.url));
  const limitFile = join(bench.databases.folder, 'limit.db');

  const onSqlite = ordersRow(storeOn('SQLite'), stores.SQLite, SQLite);
  const onPostgres = ordersRow(storeOn('PostgreSQL'), stores.PostgreSQL, PostgreSQL);
  const onPeer = ordersRow(peerName, peer, { ...PostgreSQL, url: peer.url });
  const byInsertServer = newRow('bare `node:http` with `pg`', (seconds) =>
    measureByWrk(insertServer, [calls.order(PostgreSQL)], seconds),
  );
  const byPgbench = newRow('pgbench', async (seconds) => ({
    perSecond: await measurePostgresInserts(PostgreSQL.url, defaultConnections, seconds),
  }));
  const byNodeSqlite = newRow('`node:sqlite` in a loop', async (seconds) => ({
    perSecond: measureSqliteInserts(limitFile, seconds),
  }));
  const pgbench: Row[] = pgbenchFolder ? [byPgbench] : [];
  const rows = [...pgbench, byInsertServer, onPostgres, onPeer, onSqlite, byNodeSqlite];
  await bench.measure('orders', rows);

  const call = '`POST /addOrder`';
  return {
    title: 'Orders',
    text: `${call}, each with a new Idempotency-Key and a customer's session; the limits are single durable inserts\n\n${loadTable(rows)}`,
    targets: [
      rateTarget(call, onPostgres, onPeer, 1.2),
      ...pgbench.map((limit) => rateTarget(call, onPostgres, limit, 0.6)),
      rateTarget(call, onPostgres, byInsertServer, 1.3),
      rateTarget(call, onSqlite, onPeer, 1),
      rateTarget(call, onSqlite, byNodeSqlite),
      {
        name: `${call}: processor time of an order, ${onSqlite.name}`,
        values: onSqlite.outcomes.map(({ serverMs = Number.NaN }) => 1000 * serverMs),
        max: 120,
        unit: 'µs',
      },
      ...[onPostgres, onSqlite].map((row) => tailTarget(row, 3)),
    ],
  };
}

const tailTarget = (row: Row, max: number): Target => ({
  name: `\`POST /addOrder\`, ${row.name}: p99 / p50`,
  values: ratios(p99s(row), p50s(row)),
  max,
});

/** `wrk` takes a replayed order for a new one: the orders in the database are counted. */
function ordersRow(name: string, server: ServerProcess, database: FilledDatabase): Row {
  return newRow(name, async (seconds) => {
    const before = await countOrders(database.url);
    const outcome = await measureByWrk(server, [calls.order(database)], seconds);
    const added = (await countOrders(database.url)) - before;
    if (added >= outcome.responses) return outcome;
    throw new Error(`${name} sent ${outcome.responses} responses to orders and stored ${added}`);
  });
}

async function countOrders(url: string): Promise<number> {
  const query = 'select count(*) as count from orders';
  if (url.startsWith('sqlite:')) {
    using sqlite = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    return Number(sqlite.prepare(query).get()?.['count']);
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(query);
    return Number(rows[0].count);
  } finally {
    await client.end();
  }
}
