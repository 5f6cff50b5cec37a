/** The section of idle stores: their memory a minute after the start, without a request. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Section } from './bench.ts';
import { engines } from './databases.ts';
import { memoryBytes } from './machine.ts';
import { startStores, storeOn } from './processes.ts';
import { grouped } from './progress.ts';

const idleMs = 60_000;

export async function measureIdle(bench: Bench): Promise<Section> {
  const stores = await startStores(bench, await bench.fill(bench.maxBooks), 'idle');
  await pause(idleMs);
  const targets = engines.map((engine) => ({
    name: `Resident memory a minute after the start, ${storeOn(engine)}, ${grouped(bench.maxBooks)} books`,
    values: [(memoryBytes(stores[engine].pid)?.now ?? Number.NaN) / 1e6],
    max: 130,
    unit: 'MB',
  }));
  return { title: 'Idle', text: 'The memory of stores without requests is among the targets.', targets };
}
