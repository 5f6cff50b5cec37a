/** `npm run bench`: runs the measurements and writes the report; `-- fill` and `-- search` are in fill.ts and search/run.ts. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { flag, readOptions, someOf, text, wholeNumber } from '../../tools/options.ts';
import { type Bench, fewBooks, type Section } from './bench.ts';
import { measureBeside } from './beside.ts';
import { type Databases, type Engine, type FilledDatabase, openDatabases } from './databases.ts';
import { fill } from './fill.ts';
import { measureGrowth } from './growth.ts';
import { describeMachine } from './machine.ts';
import { measureOrders } from './orders.ts';
import { grouped, openProgress } from './progress.ts';
import { measureReads } from './reads.ts';
import { measureSearch } from './search/run.ts';
import { measureStarts } from './start.ts';
import { verdict } from './tables.ts';
import { wrkIsMissing, wrkProgram } from './wrk.ts';

/** In the order of the report. */
const sections = {
  reads: measureReads,
  orders: measureOrders,
  beside: measureBeside,
  start: measureStarts,
  growth: measureGrowth,
} satisfies Record<string, (bench: Bench) => Promise<Section>>;
const names = Object.keys(sections) as (keyof typeof sections)[];

async function measure(): Promise<void> {
  const given = readOptions(
    'npm run bench',
    'Measures the store and prints a report. `npm run bench -- fill` fills a database, `npm run bench -- search` measures what searches find.',
    {
      short: flag('one round of a second each, and 10,000 books: to try it'),
      seconds: wholeNumber('seconds of each measurement', 4, 1),
      rounds: wholeNumber('rounds of each measurement', 3, 1),
      books: wholeNumber('books of the largest catalogue', 1_000_000, 2 * fewBooks),
      only: someOf('a section of the report', names),
      out: text('a file for the report; without any option it is results.md', 'file'),
    },
  );
  const isComplete = process.argv.length === 2;
  const options = { ...given, ...(given.short && { seconds: 1, rounds: 1, books: 10_000 }) };
  if (!wrkProgram) {
    process.stderr.write(`${wrkIsMissing}\n`);
    process.exit(1);
  }

  const databases = await openDatabases();
  const running = new Set<ServerProcess>();
  const stopAll = async () => {
    await Promise.allSettled([...running].map((server) => server.stop()));
    running.clear();
  };
  const closeAll = () => stopAll().then(databases.close);
  process.once('SIGINT', () => void closeAll().finally(() => process.exit(130)));
  try {
    const bench = openBench(databases, options, running);
    const measured: Section[] = [];
    for (const name of options.only) {
      measured.push(await sections[name](bench));
      await stopAll();
    }
    const report = writeReport(databases, options, measured);
    const file = options.out ?? (isComplete ? join(import.meta.dirname, 'results.md') : undefined);
    if (file) await writeFile(file, report);
    process.stdout.write(`\n${report}\n${file ? `Written to ${file}\n` : ''}`);
  } finally {
    await closeAll();
  }
}

type Options = { seconds: number; rounds: number; books: number };

function openBench(
  databases: Databases,
  { seconds, rounds, books: maxBooks }: Options,
  running: Set<ServerProcess>,
): Bench {
  const progress = openProgress(process.stdout);
  const print = (line: string) => progress.print(`${new Date().toTimeString().slice(0, 8)} ${line}`);
  const filled = new Map<number, Record<Engine, FilledDatabase>>();
  const fillOn = (engine: Engine, books: number) => {
    print(`filling ${engine} with ${grouped(books)} books and as many orders`);
    return databases.fill(engine, books, progress);
  };
  return {
    folder: databases.folder,
    maxBooks,
    async start(starting) {
      const server = await starting;
      running.add(server);
      return server;
    },
    async fill(books) {
      const found = filled.get(books) ?? {
        SQLite: await fillOn('SQLite', books),
        PostgreSQL: await fillOn('PostgreSQL', books),
      };
      filled.set(books, found);
      return found;
    },
    async measure(what, rows) {
      print(`${what}: warm-up`);
      for (const row of rows) await row.measure(1);
      for (let round = 1; round <= rounds; round += 1) {
        print(`${what}, round ${round} of ${rounds}`);
        for (const row of rows) {
          await databases.settle();
          row.outcomes.push(await row.measure(seconds));
        }
      }
    },
  };
}

const writeReport = (
  { postgresVersion }: Databases,
  { rounds, seconds }: Options,
  measured: readonly Section[],
): string =>
  [
    '# Measurements',
    [
      `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. ${describeMachine(postgresVersion)}`,
      `Each figure is the median of ${rounds} rounds of ${seconds} seconds, with the lowest and the highest in brackets. “SQLite” and “PostgreSQL” are the store on that database.`,
    ].join('\n'),
    ...verdict(measured.flatMap(({ targets }) => targets)),
    ...measured.flatMap(({ text = [] }) => text),
    '## How this was measured',
    method,
    '',
  ].join('\n\n');

const method = `\
- \`wrk\` sends the load over 32 connections (growth and searches: 8), each of which sends its next request after a response. Load, servers
  and PostgreSQL share the machine's cores.
- Processor time is that of the server's process for a response; on SQLite with that of the database.
- A warm-up does not count. Each round measures every subject once, and ratios are taken round by round. Before each measurement
  PostgreSQL makes a checkpoint, and the system writes what is left.
- The store runs as \`npm run serve\` does, without rate limits. Both engines write durably. Bare \`node:http\` sends the same bytes from memory.`;

const [part, ...args] = process.argv.slice(2);
if (part === 'fill') await fill(args);
else if (part === 'search') await measureSearch(args);
else await measure();
