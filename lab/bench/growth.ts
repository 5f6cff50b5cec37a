/** The section of growth: each call with few books and orders, and with many. */

import { type Bench, fewBooks, newRow, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { engines, type FilledDatabase } from './databases.ts';
import { startStores, storeOn } from './processes.ts';
import { grouped } from './progress.ts';
import { loadTable } from './tables.ts';
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
  const tables = engines.map((engine) => ({
    engine,
    rows: Object.entries(growthCalls).flatMap(([name, kindFor]) =>
      sizes.map(({ books, databases, stores }) =>
        newRow(`${name}, ${grouped(books)} books`, (seconds) =>
          measureByWrk(stores[engine], [kindFor(databases[engine])], { seconds, connections }),
        ),
      ),
    ),
  }));
  await bench.measure(
    'growth',
    tables.flatMap(({ rows }) => rows),
  );
  return {
    title: 'Growth',
    text: tables.map(({ engine, rows }) => `${storeOn(engine)}\n\n${loadTable(rows)}`).join('\n\n'),
    targets: [],
  };
}
