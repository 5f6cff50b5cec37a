/** The section of orders: the store beside a server that inserts a row for each and does nothing else. */

import { join } from 'node:path';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { type Bench, fewBooks, newRow, rateTarget, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { engines } from './databases.ts';
import { startLimit, startStores } from './processes.ts';
import { loadTable } from './tables.ts';
import { measureByWrk } from './wrk.ts';

const limitNames = { SQLite: 'bare `node:http`, one insert', PostgreSQL: 'Express and `pg`, one insert' };
const minOfLimit = 1;

export async function measureOrders(bench: Bench): Promise<Section> {
  const databases = await bench.fill(fewBooks);
  const stores = await startStores(bench, databases);
  const limitUrls = { ...databases, SQLite: { url: `sqlite:${join(bench.folder, 'limit.db')}` } };
  const pairs = [];
  for (const engine of engines) {
    const limit = await bench.start(startLimit('insert-server.ts', { DATABASE_URL: limitUrls[engine].url }));
    const row = (name: string, server: ServerProcess) =>
      newRow(name, (seconds) => measureByWrk(server, [calls.order(databases[engine])], { seconds }));
    pairs.push({ own: row(engine, stores[engine]), limit: row(limitNames[engine], limit) });
  }
  const rows = pairs.flatMap(({ own, limit }) => [own, limit]);
  await bench.measure('orders', rows);
  return {
    text: `## Orders, each with a new key\n\n${loadTable(rows)}`,
    targets: pairs.map(({ own, limit }) =>
      rateTarget(`\`POST /addOrder\`: ${own.name} / ${limit.name}`, own, limit, minOfLimit),
    ),
  };
}
