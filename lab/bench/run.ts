/** `npm run bench`: runs the measurements and writes the report. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { flag, readOptions, someOf, text, wholeNumber } from '../../tools/options.ts';
import { type Bench, fewBooks, type Section } from './bench.ts';
import { measureCopies } from './copies.ts';
import { type Databases, type Engine, type FilledDatabase, openDatabases } from './databases.ts';
import { measureGrowth } from './growth.ts';
import { measureHardSearches } from './hard-searches.ts';
import { measureIdle } from './idle.ts';
import { measureIsolation } from './isolation.ts';
import { nginxProgram } from './limits/nginx.ts';
import { describeMachine, memoryBytes } from './machine.ts';
import { measureMixed } from './mixed.ts';
import { measureOrders } from './orders.ts';
import { measureOwner } from './owner.ts';
import { grouped, openProgress } from './progress.ts';
import { measureReads } from './reads.ts';
import { writeReport } from './report.ts';
import { measureSignIns } from './sign-ins.ts';
import { measureStarts } from './start.ts';
import { measureWorkers } from './workers.ts';
import { wrkProgram } from './wrk.ts';

/** In the order of the report. */
const sections = {
  reads: measureReads,
  orders: measureOrders,
  copies: measureCopies,
  'sign-ins': measureSignIns,
  workers: measureWorkers,
  start: measureStarts,
  idle: measureIdle,
  growth: measureGrowth,
  'hard-searches': measureHardSearches,
  mixed: measureMixed,
  isolation: measureIsolation,
  owner: measureOwner,
} satisfies Record<string, (bench: Bench) => Promise<Section>>;

const names = Object.keys(sections) as (keyof typeof sections)[];

const given = readOptions('npm run bench', 'Measures the store and prints a report.', {
  short: flag('one round of a second each, and 10,000 books: to try it'),
  seconds: wholeNumber('seconds of each measurement', 4, 1),
  rounds: wholeNumber('rounds of each measurement', 3, 1),
  books: wholeNumber('books of the largest catalogue', 1_000_000, 2 * fewBooks),
  only: someOf('a section of the report', names),
  out: text('a file for the report; without any option it is results.md', 'file'),
});
const options = given.short ? { ...given, seconds: 1, rounds: 1, books: 10_000 } : given;
const isComplete = process.argv.length === 2;

if (!wrkProgram) {
  process.stderr.write('wrk is not installed; on Debian: apt-get install wrk nginx strace.\n');
  process.exit(1);
}

const progress = openProgress(process.stdout);
const print = (line: string) => progress.print(`${new Date().toTimeString().slice(0, 8)} ${line}`);

/** The processes to stop after their section, also after an error, and their names in the table of memory. */
const running = new Map<ServerProcess, string | undefined>();
/** By name. */
const peakBytes = new Map<string, number>();

async function stop(server: ServerProcess): Promise<void> {
  const name = running.get(server);
  const bytes = memoryBytes(server.pid)?.peak;
  if (name && bytes) peakBytes.set(name, Math.max(bytes, peakBytes.get(name) ?? 0));
  running.delete(server);
  await server.stop();
}
const stopAll = () => Promise.all([...running.keys()].map(stop));

function openBench(databases: Databases): Bench {
  const filled = new Map<number, Record<Engine, FilledDatabase>>();
  const fill = (engine: Engine, books: number) => {
    print(`filling ${engine} with ${grouped(books)} books and as many orders`);
    return databases.fill(engine, books, progress);
  };
  return {
    databases,
    seconds: options.seconds,
    maxBooks: options.books,
    stop,
    async start(starting, name) {
      const server = await starting;
      running.set(server, name);
      return server;
    },
    async fill(books) {
      const found = filled.get(books) ?? {
        SQLite: await fill('SQLite', books),
        PostgreSQL: await fill('PostgreSQL', books),
      };
      filled.set(books, found);
      return found;
    },
    async measure(what, rows, seconds = options.seconds) {
      print(`${what}: warm-up`);
      for (const row of rows) await row.measure(1);
      for (let round = 1; round <= options.rounds; round += 1) {
        print(`${what}, round ${round} of ${options.rounds}`);
        for (const row of rows) {
          await databases.settle();
          row.outcomes.push(await row.measure(seconds));
        }
      }
    },
  };
}

async function measureAll(databases: Databases): Promise<string> {
  const began = performance.now();
  const bench = openBench(databases);
  const measured: Section[] = [];
  for (const name of options.only) {
    measured.push(await sections[name](bench));
    await stopAll();
  }
  return writeReport({
    machine: describeMachine(databases.postgresVersion, databases.fileSystem, {
      nginx: nginxProgram,
      wrk: wrkProgram,
    }),
    minutes: (performance.now() - began) / 60_000,
    rounds: options.rounds,
    seconds: options.seconds,
    sections: measured,
    peakBytes,
  });
}

const databases = await openDatabases();
const closeAll = async () => {
  await Promise.allSettled([...running.keys()].map((server) => server.stop()));
  await databases.close();
};
process.once('SIGINT', () => {
  closeAll().finally(() => process.exit(130));
});
try {
  const report = await measureAll(databases);
  const file = options.out ?? (isComplete ? join(import.meta.dirname, 'results.md') : undefined);
  if (file) await writeFile(file, report);
  process.stdout.write(`\n${report}\n${file ? `Written to ${file}\n` : ''}`);
} finally {
  await closeAll();
}
