/** The section of growth: each call with few books and orders, and with many. */

import { type Bench, fewBooks, newRow, p50s, p99s, ratios, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { engines, type FilledDatabase } from './databases.ts';
import { median } from './figures.ts';
import { startStores, storeOn } from './processes.ts';
import { grouped } from './progress.ts';
import { figure, milliseconds, serverTime, table } from './tables.ts';
import { measureByWrk } from './wrk.ts';

/** Targets: the highest ratio of the p99 with many books to that with few. */
const growthCalls: readonly {
  name: string;
  kind: (database: FilledDatabase) => calls.PlannedKind;
  maxRatio: number;
}[] = [
  { name: 'first page', kind: calls.bookList, maxRatio: 1.5 },
  { name: 'next page', kind: calls.nextPage, maxRatio: 1.5 },
  { name: 'search', kind: calls.search, maxRatio: 2.5 },
  { name: 'one book', kind: calls.oneBook, maxRatio: 1.5 },
  { name: 'one book, not cached', kind: calls.oneBookFromDatabase, maxRatio: 1.5 },
  { name: 'an order', kind: calls.order, maxRatio: 1.5 },
  { name: 'a customer’s orders', kind: calls.ordersOfRegular, maxRatio: 1.5 },
];

export async function measureGrowth(bench: Bench): Promise<Section> {
  const { maxBooks } = bench;
  const few = await bench.fill(fewBooks);
  const many = await bench.fill(maxBooks);
  const fewStores = await startStores(bench, few, `${grouped(fewBooks)} books, every call`);
  const manyStores = await startStores(bench, many, `${grouped(maxBooks)} books, every call`);
  const measured = growthCalls.flatMap((call) =>
    engines.map((engine) => ({
      ...call,
      engine,
      few: newRow('', (seconds) => measureByWrk(fewStores[engine], [call.kind(few[engine])], seconds)),
      many: newRow('', (seconds) => measureByWrk(manyStores[engine], [call.kind(many[engine])], seconds)),
    })),
  );
  // Half the usual time for each call, because there are many calls.
  await bench.measure(
    'growth',
    measured.flatMap((call) => [call.few, call.many]),
    Math.ceil(bench.seconds / 2),
  );

  const sizes = [fewBooks, maxBooks].map(grouped);
  const head = [
    '',
    ...sizes.map((books) => `${books} books`),
    'p50 ratio',
    'p99 ratio',
    ...sizes.map((books) => `processor time, ${books} books`),
  ];
  return {
    title: 'Growth',
    text: engines
      .map((engine) => {
        const rows = measured
          .filter((call) => call.engine === engine)
          .map(({ name, few, many }) => [
            name,
            ...[few, many].map((row) => `${milliseconds(p50s(row))} / ${milliseconds(p99s(row))}`),
            ...[p50s, p99s].map((of) => `${figure(median(ratios(of(many), of(few))))} ×`),
            serverTime(few),
            serverTime(many),
          ]);
        return `${storeOn(engine)}, p50 / p99\n\n${table(head, rows)}`;
      })
      .join('\n\n'),
    targets: engines
      .flatMap((engine) => measured.filter((call) => call.engine === engine))
      .map(({ name, engine, few, many, maxRatio }) => ({
        name: `p99 of ${name}, ${storeOn(engine)}: ${grouped(maxBooks)} books / ${grouped(fewBooks)}`,
        values: ratios(p99s(many), p99s(few)),
        max: maxRatio,
      })),
  };
}
