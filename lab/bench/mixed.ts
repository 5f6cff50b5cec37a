/** The section of the mixed load: all calls of a visit together, at full speed and at half of it. */

import { measureArrivals } from './arrivals.ts';
import { type Bench, newRow, rates, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { engines } from './databases.ts';
import { median } from './figures.ts';
import { startStores, storeOn } from './processes.ts';
import { grouped } from './progress.ts';
import { loadTable } from './tables.ts';
import { measureByWrk } from './wrk.ts';

/** Rate of the steady arrivals, as a share of the highest rate that the store reached. */
const arrivalShare = 0.5;

export async function measureMixed(bench: Bench): Promise<Section> {
  const databases = await bench.fill(bench.maxBooks);
  const stores = await startStores(bench, databases, `${grouped(bench.maxBooks)} books, mixed`);
  const kinds = { SQLite: calls.mixed(databases.SQLite), PostgreSQL: calls.mixed(databases.PostgreSQL) };
  const full = engines.map((engine) =>
    newRow(`${storeOn(engine)}, at full speed`, async (seconds) => {
      // The calls differ in what they cost: `wrk` would correct their latencies as if they did not.
      const { p50Ms, p99Ms, ...outcome } = await measureByWrk(stores[engine], kinds[engine], seconds);
      return outcome;
    }),
  );
  await bench.measure('mixed load at full speed', full);
  const steady = engines.map((engine, index) => {
    const perSecond = Math.floor(arrivalShare * median(full.slice(index, index + 1).flatMap(rates)));
    return newRow(
      `${storeOn(engine)}, ${grouped(perSecond)} arrivals/s (${100 * arrivalShare} %)`,
      (seconds) => measureArrivals(stores[engine], kinds[engine], perSecond, seconds),
    );
  });
  await bench.measure('mixed load of steady arrivals', steady);
  return {
    title: 'A mixed load',
    text: `${grouped(bench.maxBooks)} books; 40 % first page, 15 % next page, 15 % search, 25 % one book, 5 % an order\n\n${loadTable([...full, ...steady])}`,
    targets: [],
  };
}
