/** The section of growth: each call with few books and orders, and with many. */

import { type Bench, fewBooks, newRow, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { engines, type FilledDatabase } from './databases.ts';
import { startStores } from './processes.ts';
import { grouped } from './progress.ts';
import { medianOf, table } from './tables.ts';
import { measureByWrk } from './wrk.ts';

const growthCalls: Readonly<Record<string, (database: FilledDatabase) => calls.PlannedKind>> = {
  'first page': calls.bookList,
  'next page': calls.nextPage,
  search: calls.search,
  'worst searches': calls.worstSearches,
  'one book': calls.oneBook,
  'one book, not cached': calls.oneBookFromDatabase,
  'an order': calls.order,
  'a customer’s orders': ({ regular }) => calls.ordersOf([regular]),
};
/** The load has fewer connections than for the limits: under a full load, the latency would be that of the queue. */
const connections = 8;

export async function measureGrowth(bench: Bench): Promise<Section> {
  const open = async (books: number) => {
    const databases = await bench.fill(books);
    return { books, databases, stores: await startStores(bench, databases) };
  };
  const sizes = [await open(fewBooks), await open(bench.maxBooks)];
  const columns = engines.flatMap((engine) =>
    sizes.map(({ books, databases, stores }) => ({
      name: `${engine}, ${grouped(books)} books`,
      database: databases[engine],
      store: stores[engine],
    })),
  );
  const measured = Object.entries(growthCalls).map(([name, kindFor]) => ({
    name,
    rows: columns.map(({ name, database, store }) =>
      newRow(name, (seconds) => measureByWrk(store, [kindFor(database)], { seconds, connections })),
    ),
  }));
  await bench.measure(
    'growth',
    measured.flatMap(({ rows }) => rows),
  );
  return {
    text: `## Growth: p50 / p99 in ms\n\n${table(
      ['', ...columns.map(({ name }) => name)],
      measured.map(({ name, rows }) => [
        name,
        ...rows.map((row) => `${medianOf(row, 'p50Ms')} / ${medianOf(row, 'p99Ms')}`),
      ]),
    )}`,
    targets: [],
  };
}
