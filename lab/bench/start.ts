/** The section of starts: from the start of a process to its first response. */

import { join } from 'node:path';
import { type Bench, fewBooks, newRow, type Section } from './bench.ts';
import { engines } from './databases.ts';
import { createPeerDatabase, peerName, startMeasuredStore, startPeer, storeOn } from './processes.ts';
import { grouped } from './progress.ts';
import { spread, table, wholeMedian } from './tables.ts';

export async function measureStarts(bench: Bench): Promise<Section> {
  const { maxBooks } = bench;
  const few = await bench.fill(fewBooks);
  const many = await bench.fill(maxBooks);
  const log = join(bench.databases.folder, 'starts.log');
  const peerUrl = await createPeerDatabase(bench, few.PostgreSQL, 'start');
  const rowOf = (name: string, books: number, start: () => ReturnType<typeof startPeer>) => ({
    books,
    ...newRow(name, async () => {
      const server = await bench.start(start());
      await bench.stop(server);
      return server.readyAfterMs;
    }),
  });
  const stores = [few, many].flatMap((filled) =>
    engines.map((engine) => {
      const { url, books } = filled[engine];
      return rowOf(storeOn(engine), books, () => startMeasuredStore(url, log));
    }),
  );
  const rows = [...stores, rowOf(peerName, fewBooks, () => startPeer(peerUrl))];
  await bench.measure('cold starts', rows);
  return {
    title: 'Start',
    text: table(
      ['', 'books', 'from start to first `GET /books`'],
      rows.map(({ name, books, outcomes }) => [
        name,
        grouped(books),
        `${wholeMedian(outcomes)} ms${spread(outcomes)}`,
      ]),
    ),
    targets: stores
      .filter(({ books }) => books === maxBooks)
      .map(({ name, outcomes }) => ({
        name: `From start to first response, ${name}, ${grouped(maxBooks)} books`,
        values: outcomes,
        max: 500,
        unit: 'ms',
      })),
  };
}
