/** The section of hard searches: those that cost a store with many books the most, each by itself and all together. */

import type { ServerProcess } from '../../server/testing/server-process.ts';
import { type Bench, fewBooks, newRow, p99s, ratios, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { send } from './client.ts';
import { type Engine, engines } from './databases.ts';
import { median } from './figures.ts';
import { deepShare, type HardSearch, hardSearches } from './hard-queries.ts';
import { startStores, storeOn } from './processes.ts';
import { grouped } from './progress.ts';
import { loadTable, milliseconds, table } from './tables.ts';
import { measureByWrk } from './wrk.ts';

/** Connections that send them together. */
const searchers = 8;
/** Requests of each search when it is measured alone, after one that does not count. */
const timesAlone = 9;
/** Searches in the report: the slowest ones. */
const listed = 15;
/** Targets for the slowest search alone, at the median. */
const maxAloneMs: Readonly<Record<Engine, number>> = { SQLite: 25, PostgreSQL: 40 };

export async function measureHardSearches(bench: Bench): Promise<Section> {
  const { maxBooks } = bench;
  const few = await bench.fill(fewBooks);
  const many = await bench.fill(maxBooks);
  const fewStores = await startStores(bench, few, `${grouped(fewBooks)} books, hard searches`);
  const manyStores = await startStores(bench, many, `${grouped(maxBooks)} books, hard searches`);

  const sizes = engines.flatMap((engine) => [
    { engine, filled: few[engine], store: fewStores[engine] },
    { engine, filled: many[engine], store: manyStores[engine] },
  ]);
  const together = sizes.map(({ engine, filled, store }) => {
    const all = calls.kind(hardSearches.map((search) => calls.hardSearch(search, filled)));
    return {
      engine,
      ...newRow(`${storeOn(engine)}, ${grouped(filled.books)} books`, (seconds) =>
        measureByWrk(store, [all], seconds, searchers),
      ),
    };
  });
  await bench.measure('hard searches together', together);

  const alone = { SQLite: [] as Alone[], PostgreSQL: [] as Alone[] };
  for (const engine of engines) {
    for (const search of hardSearches) {
      const request = calls.hardSearch(search, many[engine]);
      alone[engine].push({ search, ms: await timeAlone(manyStores[engine], request) });
    }
    alone[engine].sort((one, other) => median(other.ms) - median(one.ms));
  }
  return {
    title: 'Hard searches',
    text: [
      `All ${hardSearches.length} in turn, over ${searchers} connections`,
      loadTable(together),
      ...engines.flatMap((engine) => [
        `${storeOn(engine)}, ${grouped(maxBooks)} books: the ${listed} slowest of the ${hardSearches.length}, each alone`,
        table(
          ['', 'median', 'slowest of nine'],
          alone[engine]
            .slice(0, listed)
            .map(({ search, ms }) => [describe(search), milliseconds(ms), milliseconds([Math.max(...ms)])]),
        ),
      ]),
    ].join('\n\n'),
    targets: engines.flatMap((engine) => {
      const [withFew, withMany] = together.filter((row) => row.engine === engine);
      return [
        {
          name: `Slowest hard search alone, ${storeOn(engine)}, ${grouped(maxBooks)} books, p50`,
          values: [Math.max(...alone[engine].map(({ ms }) => median(ms)))],
          max: maxAloneMs[engine],
          unit: 'ms',
        },
        ...(withFew && withMany
          ? [
              {
                name: `p99 of the hard searches together, ${storeOn(engine)}: ${grouped(maxBooks)} books / ${grouped(fewBooks)}`,
                values: ratios(p99s(withMany), p99s(withFew)),
                max: 4,
              },
            ]
          : []),
      ];
    }),
  };
}

type Alone = { search: HardSearch; ms: number[] };

/** Sends requests one after another, without another load: `wrk` would take a second for each search. @returns the times. */
async function timeAlone({ origin }: ServerProcess, request: calls.PlannedRequest): Promise<number[]> {
  await send(origin, request, 200);
  const ms: number[] = [];
  while (ms.length < timesAlone) {
    const startedAt = performance.now();
    await send(origin, request, 200);
    ms.push(performance.now() - startedAt);
  }
  return ms;
}

/** @returns its name in the report. */
const describe = ({ q, sort, isDeep }: HardSearch): string =>
  `${q ? `“${q}”` : 'all books'}, ${sort}${isDeep ? `, after ${deepShare * 100} %` : ''}`;
