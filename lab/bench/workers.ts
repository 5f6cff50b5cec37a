/** The section of workers: the cost of a request if two processes share the port, and if one has it alone. */

import { join } from 'node:path';
import { type Bench, fewBooks, newRow, type Row, ratios, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { startMeasuredStore } from './processes.ts';
import { loadTable } from './tables.ts';
import { defaultConnections, measureByWrk } from './wrk.ts';

/** Target: the highest ratio of the processor time of a request with two workers to that with one. */
const maxRatio = 1.15;

export async function measureWorkers(bench: Bench): Promise<Section> {
  const { PostgreSQL } = await bench.fill(fewBooks);
  const log = join(bench.databases.folder, 'workers.log');
  const start = (workers: number) =>
    bench.start(startMeasuredStore(PostgreSQL.url, log, { WORKERS: String(workers) }));
  const [one, two] = [await start(1), await start(2)];
  const measured = [
    { call: '`GET /books`', kind: calls.bookList() },
    { call: '`GET /auth/session`', kind: calls.session(PostgreSQL) },
    { call: '`POST /addOrder`', kind: calls.order(PostgreSQL) },
  ].map(({ call, kind }) => ({
    call,
    one: newRow(`${call}, one worker`, (seconds) => measureByWrk(one, [kind], seconds)),
    two: newRow(`${call}, two workers`, (seconds) => measureByWrk(two, [kind], seconds)),
    twice: newRow(`${call}, two workers, ${2 * defaultConnections} connections`, (seconds) =>
      measureByWrk(two, [kind], seconds, 2 * defaultConnections),
    ),
  }));
  const rows = measured.flatMap(({ one, two, twice }) => [one, two, twice]);
  await bench.measure('workers', rows);
  return {
    title: 'Workers',
    text: `On PostgreSQL. The load shares the cores with the workers: two do not answer twice as much here. With twice the connections each has as many as the one, and as many orders share a statement.\n\n${loadTable(rows)}`,
    targets: measured.flatMap(({ one, two, twice }) =>
      [two, twice].map((row) => ({
        name: `Processor time of a request: ${row.name} / one`,
        values: ratios(serverTimes(row), serverTimes(one)),
        max: maxRatio,
      })),
    ),
  };
}

const serverTimes = ({ outcomes }: Row): number[] => outcomes.map(({ serverMs = Number.NaN }) => serverMs);
