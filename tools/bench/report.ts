/** The report: ratios and targets first, then what they come from. */

import { type Engine, engines } from './databases.ts';
import { median } from './figures.ts';
import type { Outcome } from './load.ts';
import { grouped } from './progress.ts';
import {
  type Growth,
  growthCalls,
  type Mixed,
  type Orders,
  type ReadCall,
  type Reads,
  type Results,
  readCalls,
  type Start,
  type Subject,
  storeOn,
} from './results.ts';

const subjectNames: Record<Subject, string> = {
  limit: 'bare `node:http`',
  SQLite: storeOn('SQLite'),
  PostgreSQL: storeOn('PostgreSQL'),
  peer: 'Express + pg',
};

const readNames: Record<ReadCall, string> = {
  books: '`GET /books`, 100 books, identity',
  booksGzip: '`GET /books`, 100 books, gzip',
  book: '`GET /book/{id}`',
};

/** A target: at least so much of something, or at most. */
type Target = { what: string; values: readonly number[]; least?: number; most?: number; unit?: string };

export function writeReport(results: Results): string {
  const { reads, orders, start, growth, mixed } = results;
  return [
    '# Measurements',
    introduction(results),
    '## Ratios and targets',
    'Each figure is the median of the rounds, with the lowest and the highest in brackets.',
    targetTable(targetsOf(results)),
    ...(reads ? ['## Reads', readTables(reads)] : []),
    ...(orders ? ['## Orders', orderTable(orders)] : []),
    '## Memory',
    memoryTable(results),
    ...(start ? ['## Start', startTable(start)] : []),
    ...(growth ? ['## Growth', growthTables(growth)] : []),
    ...(mixed ? ['## A mixed load', mixedTable(mixed, results.options.mixedShare)] : []),
    '## How this was measured',
    method(results),
    '',
  ].join('\n\n');
}

function introduction({ machine, options, minutes }: Results): string {
  const { processor, cores, memoryGiB, system, fileSystem, versions, date } = machine;
  const parts = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Written by \`npm run bench\` on ${date}, in one run of ${minutes.toFixed(1)} minutes on one machine:`,
    `${processor}, ${cores} cores, ${memoryGiB} GiB of memory, ${system}, files on ${fileSystem}. ${parts.join(', ')}.`,
    `Rounds, interleaved: ${options.rounds}; seconds a measurement: ${options.seconds}; connections: ${options.connections}.`,
  ].join('\n');
}

function targetsOf(results: Results): Target[] {
  return [
    ...(results.reads ? readTargets(results.reads) : []),
    ...(results.orders ? orderTargets(results.orders) : []),
    ...(results.growth ? growthTargets(results.growth) : []),
    ...memoryTargets(results),
    ...(results.start ? startTargets(results.start) : []),
  ];
}

const rates = (outcomes: readonly Outcome[]) => outcomes.map(({ answersPerSecond }) => answersPerSecond);

/** Round by round, since what disturbs a round disturbs both. */
const ratios = (of: readonly number[], to: readonly number[]): number[] =>
  of.map((value, round) => value / (to[round] ?? Number.NaN));

function readTargets(reads: Reads): Target[] {
  return engines.flatMap((engine) => [
    ...(['books', 'booksGzip'] as const).flatMap((call) => [
      {
        what: `${readNames[call]}: ${storeOn(engine)} / bare \`node:http\``,
        values: ratios(rates(reads[call][engine]), rates(reads[call].limit)),
        least: 0.85,
      },
      {
        what: `${readNames[call]}: ${storeOn(engine)} / Express + pg`,
        values: ratios(rates(reads[call][engine]), rates(reads[call].peer)),
        least: 12,
      },
    ]),
    {
      what: `${readNames.book}: ${storeOn(engine)} / bare \`node:http\``,
      values: ratios(rates(reads.book[engine]), rates(reads.book.limit)),
      least: 0.5,
    },
    {
      what: `${readNames.book}: ${storeOn(engine)} / Express + pg`,
      values: ratios(rates(reads.book[engine]), rates(reads.book.peer)),
    },
  ]);
}

function orderTargets(orders: Orders): Target[] {
  const { limits } = orders;
  return [
    {
      what: '`POST /addOrder`: Colophon on PostgreSQL / Express + pg',
      values: ratios(rates(orders.PostgreSQL), rates(orders.peer)),
      least: 1.2,
    },
    {
      what: `\`POST /addOrder\`: Colophon on PostgreSQL / ${limits.PostgreSQL.by}`,
      values: ratios(rates(orders.PostgreSQL), limits.PostgreSQL.insertsPerSecond),
      least: 0.35,
    },
    {
      what: '`POST /addOrder`: Colophon on SQLite / Express + pg on PostgreSQL',
      values: ratios(rates(orders.SQLite), rates(orders.peer)),
      least: 1,
    },
    {
      what: `\`POST /addOrder\`: Colophon on SQLite / ${limits.SQLite.by}`,
      values: ratios(rates(orders.SQLite), limits.SQLite.insertsPerSecond),
    },
  ];
}

const p99s = (outcomes: readonly Outcome[]) => outcomes.map(({ p99Ms }) => p99Ms);
const p50s = (outcomes: readonly Outcome[]) => outcomes.map(({ p50Ms }) => p50Ms);

function growthTargets(growth: Growth): Target[] {
  return engines.flatMap((engine) => {
    const { fewest, most } = endsOf(growth, engine);
    return growthCalls
      .filter((call) => !call.startsWith('search: '))
      .map((call) => ({
        what: `p99 of ${call}, ${storeOn(engine)}: ${grouped(most.books)} books / ${grouped(fewest.books)}`,
        values: ratios(p99s(outcomesOf(most, call)), p99s(outcomesOf(fewest, call))),
        most: call === 'search' ? 5 : 2,
      }));
  });
}

function endsOf(growth: Growth, engine: Engine) {
  const sizes = growth.filter((size) => size.engine === engine);
  const [fewest] = sizes;
  const most = sizes.at(-1);
  if (!fewest || !most) throw new Error(`no growth on ${engine}`);
  return { sizes, fewest, most };
}

const outcomesOf = ({ calls }: Growth[number], wanted: string): readonly Outcome[] =>
  calls.find(({ call }) => call === wanted)?.outcomes ?? [];

/** The most that was seen, over everything that was asked of each. */
function peakMemory({ reads, orders, growth, mixed }: Results): { name: string; bytes: number }[] {
  const seen: [string, readonly Outcome[]][] = [];
  for (const call of readCalls) {
    if (!reads) continue;
    for (const subject of ['limit', 'SQLite', 'PostgreSQL', 'peer'] as const) {
      seen.push([`${subjectNames[subject]}, reads`, reads[call][subject]]);
    }
  }
  for (const subject of ['SQLite', 'PostgreSQL', 'peer'] as const) {
    if (orders) seen.push([`${subjectNames[subject]}, orders`, orders[subject]]);
  }
  for (const { engine, books, calls } of growth ?? []) {
    seen.push([
      `${storeOn(engine)}, ${grouped(books)} books, every call`,
      calls.flatMap((call) => call.outcomes),
    ]);
  }
  for (const { engine, books, closed, open } of mixed ?? []) {
    seen.push([`${storeOn(engine)}, ${grouped(books)} books, mixed`, [...closed, ...open]]);
  }
  const peaks = new Map<string, number>();
  for (const [name, outcomes] of seen) {
    for (const { serverRssBytes } of outcomes) {
      if (serverRssBytes) peaks.set(name, Math.max(serverRssBytes, peaks.get(name) ?? 0));
    }
  }
  return [...peaks].map(([name, bytes]) => ({ name, bytes }));
}

const memoryTargets = (results: Results): Target[] =>
  engines.flatMap((engine) => {
    const peaks = peakMemory(results).filter(({ name }) => name.startsWith(storeOn(engine)));
    if (peaks.length === 0) return [];
    return {
      what: `Resident memory under load, at most, ${storeOn(engine)}`,
      values: [Math.max(...peaks.map(({ bytes }) => bytes)) / 1e6],
      most: 200,
      unit: 'MB',
    };
  });

function startTargets(start: Start): Target[] {
  const most = Math.max(...start.map(({ books }) => books));
  return start
    .filter(({ name, books }) => books === most && name !== subjectNames.peer)
    .map(({ name, ms }) => ({
      what: `From start to first answer, ${name}, ${grouped(most)} books`,
      values: ms,
      most: 1_000,
      unit: 'ms',
    }));
}

function targetTable(targets: readonly Target[]): string {
  return table(
    ['', 'measured', 'target', ''],
    targets.map(({ what, values, least, most, unit = '×' }) => {
      const value = median(values);
      const target =
        least !== undefined ? `≥ ${least} ${unit}` : most !== undefined ? `≤ ${grouped(most)} ${unit}` : '';
      const isMet = (least === undefined || value >= least) && (most === undefined || value <= most);
      return [
        what,
        `**${figure(value)} ${unit}**${spread(values)}`,
        target,
        target && (isMet ? 'met' : 'not met'),
      ];
    }),
  );
}

function readTables(reads: Reads): string {
  return readCalls
    .map((call) => {
      const size = median(reads[call].limit.map(({ bodyBytes }) => bodyBytes));
      const rows = Object.entries(reads[call]).map(([subject, outcomes]) =>
        loadRow(subjectNames[subject as Subject], outcomes),
      );
      return `${readNames[call]} (${grouped(Math.round(size))} bytes)\n\n${table(loadHead, rows)}`;
    })
    .join('\n\n');
}

const loadHead = [
  '',
  'answers/s',
  'p50',
  'p99',
  'cores of the server',
  'answers a core-second',
  'cores of the load',
];

function loadRow(name: string, outcomes: readonly Outcome[]): string[] {
  return [
    name,
    `${wholeMedian(rates(outcomes))}${spread(rates(outcomes))}`,
    milliseconds(p50s(outcomes)),
    milliseconds(p99s(outcomes)),
    cores(outcomes.map(({ serverCores }) => serverCores)),
    perCoreSecond(outcomes),
    cores(outcomes.map(({ loadCores }) => loadCores)),
  ];
}

const cores = (values: readonly (number | undefined)[]): string => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? median(known).toFixed(2) : '–';
};

/** What the server's own process makes of its time, whatever else the machine is busy with. */
const perCoreSecond = (outcomes: readonly Outcome[]): string => {
  const known = outcomes.flatMap(({ answersPerSecond, serverCores }) =>
    serverCores ? answersPerSecond / serverCores : [],
  );
  return known.length > 0 ? wholeMedian(known) : '–';
};

function orderTable({ limits, ...orders }: Orders): string {
  const limitRows = engines.map((engine) => [
    `durable inserts, ${engine}, by ${limits[engine].by}`,
    `${wholeMedian(limits[engine].insertsPerSecond)}${spread(limits[engine].insertsPerSecond)}`,
    ...['', '', '', '', ''],
  ]);
  const rows = (['SQLite', 'PostgreSQL', 'peer'] as const).map((subject) =>
    loadRow(subjectNames[subject], orders[subject]),
  );
  return `\`POST /addOrder\`, each with a fresh Idempotency-Key\n\n${table(loadHead, [...limitRows, ...rows])}`;
}

function memoryTable(results: Results): string {
  const rows = peakMemory(results).map(({ name, bytes }) => [name, `${Math.round(bytes / 1e6)} MB`]);
  return table(['', 'resident, at most'], rows);
}

function startTable(start: Start): string {
  return table(
    ['', 'books', 'from start to first `GET /books`'],
    start.map(({ name, books, ms }) => [name, grouped(books), `${wholeMedian(ms)} ms${spread(ms)}`]),
  );
}

function growthTables(growth: Growth): string {
  return engines
    .map((engine) => {
      const { sizes, fewest } = endsOf(growth, engine);
      const head = ['', ...sizes.map(({ books }) => `${grouped(books)} books`), 'p50 ratio', 'p99 ratio'];
      const rows = growthCalls.map((call) => {
        const least = outcomesOf(fewest, call);
        const each = sizes.map((size) => outcomesOf(size, call));
        const last = each.at(-1) ?? [];
        const cells = each.map(
          (outcomes) => `${milliseconds(p50s(outcomes))} / ${milliseconds(p99s(outcomes))}`,
        );
        const p50Ratio = median(ratios(p50s(last), p50s(least)));
        const p99Ratio = median(ratios(p99s(last), p99s(least)));
        return [call, ...cells, `${figure(p50Ratio)} ×`, `${figure(p99Ratio)} ×`];
      });
      return `${storeOn(engine)}, p50 / p99\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

function mixedTable(mixed: Mixed, share: number): string {
  const rows = mixed.flatMap(({ engine, closed, open, arrivalsPerSecond }) => [
    loadRow(`${storeOn(engine)}, as fast as it goes`, closed),
    loadRow(`${storeOn(engine)}, ${grouped(arrivalsPerSecond)} arrivals/s (${share * 100} %)`, open),
  ]);
  return `${grouped(mixed[0]?.books ?? 0)} books; 40 % first page, 15 % next page, 15 % search, 25 % one book, 5 % an order\n\n${table(loadHead, rows)}`;
}

function method({ options }: Results): string {
  const { connections } = options;
  return `- **One machine.** The load, the servers and PostgreSQL share its cores. The load is a process of its own (\`bench/load.ts\`),
  which speaks HTTP over plain sockets so that it takes less than what it measures; the tables tell what it took. Where it
  comes near one core, the fastest subjects were held back by it.
- **Rounds.** In each round every subject is measured once, after a warm-up of up to a second; all of them are running
  all the while. Ratios are taken round by round.
- **Closed load**: ${connections} kept-alive connections, each sending its next request when it has its answer. **Steady arrivals**: requests
  arrive at an even rate whether or not the earlier ones were answered, once a millisecond; latency counts from the
  arrival, so that what waited in a queue is not left out.
- **The store** is started as it is shipped (\`tools/serve.mjs\`): headers, validation, sessions, idempotency, metrics,
  and the log at \`info\`, to a file. Both engines write durably: SQLite with \`synchronous=full\`, PostgreSQL with \`fsync\`
  and \`synchronous_commit\` on, and otherwise as it comes.
- **Bare \`node:http\`** sends the same bytes as the store, headers and body, from memory.
- **Express + pg** (\`bench/peers/express-pg\`) is the same store as a competent developer writes it: a pool of ten
  connections, as the store's; prepared statements, indexes, sessions in a table, orders in one statement behind a unique key.
  It compresses with the \`compression\` middleware. The figures with \`accept-encoding: identity\` are its better ones.
- **Durable inserts** go into a table like \`orders\`, with the same indexes, over as many connections.
- **Growth** has ${connections} connections as well, so latencies are those of a busy store. Each database has as many orders as books,
  and one customer with a thousand, of which 200 are answered. A first page and a search show up to 200 books; with a hundred
  books there are fewer to show. One book is one of a thousand that are asked for again and again, so that it comes from memory;
  one that is not yet asked for stands for the same books, asked for so that they come from the database. The parts of the
  search are measured in one round only. In the mixed load the books come from memory as well.
- **Start** is from the process's start to its first good \`GET /books\`, with Node's compile cache filled by an earlier start and
  the files in the system's memory.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Three digits that count. */
const figure = (value: number): string =>
  value >= 100 ? grouped(Math.round(value)) : value.toPrecision(3).replace(/^(0\.\d\d)\d$/, '$1');

const wholeMedian = (values: readonly number[]): string => grouped(Math.round(median(values)));

const milliseconds = (values: readonly number[]): string => `${figure(median(values))} ms`;

function spread(values: readonly number[]): string {
  return values.length > 1 ? ` (${figure(Math.min(...values))}–${figure(Math.max(...values))})` : '';
}
