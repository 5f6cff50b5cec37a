/** The section of starts: from the start of a process to its first response, and its memory after a minute without a request. */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, newRow, type Section } from './bench.ts';
import { engines } from './databases.ts';
import { statusOf } from './machine.ts';
import { startMeasuredStore, startStores } from './processes.ts';
import { grouped } from './progress.ts';

const maxStartMs = 600;
const idleMs = 60_000;
const maxIdleMB = 140;

export async function measureStarts(bench: Bench): Promise<Section> {
  const { maxBooks, folder } = bench;
  const databases = await bench.fill(maxBooks);
  const rows = engines.map((engine) =>
    newRow(`${engine}, ${grouped(maxBooks)} books`, async () => {
      const store = await bench.start(startMeasuredStore(databases[engine].url, join(folder, 'starts.log')));
      await store.stop();
      return store.readyAfterMs;
    }),
  );
  await bench.measure('starts', rows);
  const stores = await startStores(bench, databases);
  await pause(idleMs);
  return {
    targets: [
      ...rows.map(({ name, outcomes }) => ({
        name: `Start to the first \`GET /books\`, ${name}`,
        values: outcomes,
        max: maxStartMs,
        unit: 'ms',
      })),
      ...engines.map((engine) => ({
        name: `Memory a minute later, ${engine}, ${grouped(maxBooks)} books`,
        values: [(statusOf(stores[engine].pid, 'VmRSS') * 1024) / 1e6],
        max: maxIdleMB,
        unit: 'MB',
      })),
    ],
  };
}
