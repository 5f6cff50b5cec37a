/** The section of visitors beside searches: calls are measured alone, and while others send the worst searches. */

import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, newRow, rateTarget, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { engines } from './databases.ts';
import { startStores } from './processes.ts';
import { medianOf, rateOf, table } from './tables.ts';
import { measureByWrk, runWrk } from './wrk.ts';

const searchers = 8;
const minOfAlone = 0.4;

export async function measureBeside(bench: Bench): Promise<Section> {
  const databases = await bench.fill(bench.maxBooks);
  const stores = await startStores(bench, databases);
  const pairs = engines.flatMap((engine) => {
    const store = stores[engine];
    const visits = {
      '`GET /books`': calls.bookList(),
      '`GET /auth/session`': calls.session(databases[engine]),
    };
    return Object.entries(visits).map(([visit, kind]) => {
      const name = `${visit}, ${engine}`;
      const measure = (seconds: number) => measureByWrk(store, [kind], { seconds });
      const beside = async (seconds: number) => {
        // The searches begin before the measured calls and end after them. Those that are refused count as sent.
        const load = { seconds: seconds + 1, connections: searchers };
        const searching = runWrk(store, [calls.worstSearches()], load);
        await pause(500);
        const outcome = await measure(seconds);
        await searching;
        return outcome;
      };
      return { name, both: [newRow('alone', measure), newRow('beside searches', beside)] as const };
    });
  });
  await bench.measure(
    'visitors beside searches',
    pairs.flatMap(({ both }) => both),
  );
  return {
    text: `## Visitors alone, and beside ${searchers} of the worst searches\n\n${table(
      ['', 'alone: responses/s', 'p99, ms', 'beside: responses/s', 'p99, ms'],
      pairs.map(({ name, both }) => [name, ...both.flatMap((row) => [rateOf(row), medianOf(row, 'p99Ms')])]),
    )}`,
    targets: pairs.map(({ name, both: [alone, beside] }) =>
      rateTarget(`${name}: beside ${searchers} searches / alone`, beside, alone, minOfAlone),
    ),
  };
}
