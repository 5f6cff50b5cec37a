/** The report: ratios and targets first, then the figures. */

import { type Engine, engines } from './databases.ts';
import { median } from './figures.ts';
import { describeHardSearch } from './hard-searches.ts';
import { type Disturbance, slowFsyncMs } from './isolation.ts';
import type { Outcome } from './load.ts';
import { grouped } from './progress.ts';
import {
  type Growth,
  growthCalls,
  type HardSearches,
  type Mixed,
  type Orders,
  type ReadCall,
  type Reads,
  type Results,
  readCalls,
  type SignIns,
  type Start,
  type Subject,
  storeOn,
  subjects,
} from './results.ts';

const subjectNames: Record<Subject, string> = {
  limit: 'bare `node:http`',
  nginx: 'nginx, one worker',
  SQLite: storeOn('SQLite'),
  PostgreSQL: storeOn('PostgreSQL'),
  peer: 'Express + pg',
};

const readNames: Record<ReadCall, string> = {
  books: '`GET /books`, 100 books, identity',
  booksGzip: '`GET /books`, 100 books, gzip',
  booksNotModified: '`GET /books`, 304',
  book: '`GET /book/{id}`',
  bookNotModified: '`GET /book/{id}`, 304',
};

/** A figure, one value per round, and the target for their median, where there is one. */
type Target = { name: string; values: readonly number[]; min?: number; max?: number; unit?: string };

/** @returns the report in Markdown. */
export function writeReport(results: Results): string {
  const { reads, readsByWrk, orders, signIns, start, growth, hardSearches, mixed, isolation } = results;
  return [
    '# Measurements',
    introduction(results),
    '## Ratios and targets',
    'Each figure is the median of the rounds, with the lowest and the highest in brackets.',
    targetTable(targetsOf(results)),
    ...(reads ? ['## Reads', readTables(reads)] : []),
    ...(readsByWrk ? ['## Reads, by `wrk`', readTables(readsByWrk)] : []),
    ...(orders ? ['## Orders', orderTable(orders)] : []),
    ...(signIns ? ['## Sign-ins', signInTable(signIns)] : []),
    '## Memory',
    memoryTable(results),
    ...(start ? ['## Start', startTable(start)] : []),
    ...(growth ? ['## Growth', growthTables(growth)] : []),
    ...(hardSearches ? ['## Hard searches', hardSearchTables(hardSearches, results.options.searchers)] : []),
    ...(isolation ? ['## Beside other calls', isolationTable(isolation)] : []),
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
    `Rounds, interleaved: ${options.rounds}; seconds a measurement: ${options.seconds}; connections: ${options.connections}, of \`wrk\` ${options.wrkConnections}.`,
  ].join('\n');
}

function targetsOf(results: Results): Target[] {
  return [
    ...(results.reads ? readTargets(results.reads, '') : []),
    ...(results.readsByWrk ? readTargets(results.readsByWrk, ', by `wrk`') : []),
    ...(results.orders ? orderTargets(results.orders) : []),
    ...(results.growth ? growthTargets(results.growth) : []),
    ...(results.hardSearches ? hardSearchTargets(results.hardSearches) : []),
    ...(results.isolation ? isolationTargets(results.isolation) : []),
    ...memoryTargets(results),
    ...(results.start ? startTargets(results.start) : []),
  ];
}

const rates = (outcomes: readonly Outcome[]) => outcomes.map(({ responsesPerSecond }) => responsesPerSecond);

/** Divides round by round, since a disturbance of the machine affects both. */
const ratios = (dividends: readonly number[], divisors: readonly number[]): number[] =>
  dividends.map((value, round) => value / (divisors[round] ?? Number.NaN));

/** Of the bare server's rate, and of the peer's. */
const readMinimums: Readonly<Record<ReadCall, { limit: number; nginx?: number; peer?: number }>> = {
  books: { limit: 0.85, peer: 12 },
  booksGzip: { limit: 0.85, peer: 12 },
  booksNotModified: { limit: 0.75 },
  book: { limit: 0.8 },
  bookNotModified: { limit: 0.75 },
};

/** @param by which load generator, for the names. */
function readTargets(reads: Reads, by: string): Target[] {
  return engines.flatMap((engine) =>
    readCalls.flatMap((call) =>
      (['limit', 'nginx', 'peer'] as const).flatMap((subject) => {
        const { [subject]: outcomes, [engine]: own } = reads[call];
        if (outcomes.length === 0) return [];
        const min = readMinimums[call][subject];
        return {
          name: `${readNames[call]}${by}: ${storeOn(engine)} / ${subjectNames[subject]}`,
          values: ratios(rates(own), rates(outcomes)),
          ...(min === undefined ? {} : { min }),
        };
      }),
    ),
  );
}

/** The p99 may be five times that alone, and 10 ms in any case. */
function isolationTargets(disturbances: readonly Disturbance[]): Target[] {
  return disturbances.flatMap((disturbance) => {
    const { name, call, minRatio, alone, beside, ordersPerCommit, minOrdersPerCommit } = disturbance;
    const maximums = p99s(alone).map((ms) => Math.max(5 * ms, 10));
    return [
      {
        name: `\`${call}\` beside ${name} / alone`,
        values: ratios(rates(beside), rates(alone)),
        min: minRatio,
      },
      { name: `the same, p99 / its maximum`, values: ratios(p99s(beside), maximums), max: 1 },
      ...(ordersPerCommit.length > 0 && minOrdersPerCommit !== undefined
        ? [
            {
              name: `orders in a commit, ${name}`,
              values: ordersPerCommit,
              min: minOrdersPerCommit,
              unit: 'orders',
            },
          ]
        : []),
    ];
  });
}

function orderTargets(orders: Orders): Target[] {
  const { limits } = orders;
  return [
    {
      name: '`POST /addOrder`: Colophon on PostgreSQL / Express + pg',
      values: ratios(rates(orders.PostgreSQL), rates(orders.peer)),
      min: 1.2,
    },
    {
      name: `\`POST /addOrder\`: Colophon on PostgreSQL / ${limits.PostgreSQL.by}`,
      values: ratios(rates(orders.PostgreSQL), limits.PostgreSQL.insertsPerSecond),
      min: 0.45,
    },
    {
      name: '`POST /addOrder`: Colophon on SQLite / Express + pg on PostgreSQL',
      values: ratios(rates(orders.SQLite), rates(orders.peer)),
      min: 1,
    },
    {
      name: `\`POST /addOrder\`: Colophon on SQLite / ${limits.SQLite.by}`,
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
        name: `p99 of ${call}, ${storeOn(engine)}: ${grouped(most.books)} books / ${grouped(fewest.books)}`,
        values: ratios(p99s(outcomesOf(most, call)), p99s(outcomesOf(fewest, call))),
        max: call === 'search' ? 5 : 2,
      }));
  });
}

/** Of the slowest search alone, at the median. */
const hardSearchMaxMs: Readonly<Record<Engine, number>> = { SQLite: 25, PostgreSQL: 40 };

function hardSearchTargets(hardSearches: HardSearches): Target[] {
  return engines.flatMap((engine) => {
    const { fewest, most } = endsOf(hardSearches, engine);
    return [
      {
        name: `Slowest hard search alone, ${storeOn(engine)}, ${grouped(most.books)} books, p50`,
        values: [Math.max(...most.alone.map(({ outcome }) => outcome.p50Ms))],
        max: hardSearchMaxMs[engine],
        unit: 'ms',
      },
      {
        name: `p99 of the hard searches together, ${storeOn(engine)}: ${grouped(most.books)} books / ${grouped(fewest.books)}`,
        values: ratios(p99s(most.together), p99s(fewest.together)),
        max: 4,
      },
    ];
  });
}

function endsOf<Size extends { engine: Engine; books: number }>(measured: readonly Size[], engine: Engine) {
  const sizes = measured.filter((size) => size.engine === engine);
  const [fewest] = sizes;
  const most = sizes.at(-1);
  if (!fewest || !most) throw new Error(`no catalogue on ${engine}`);
  return { sizes, fewest, most };
}

const outcomesOf = ({ calls }: Growth[number], name: string): readonly Outcome[] =>
  calls.find(({ call }) => call === name)?.outcomes ?? [];

/** @returns the peak of each subject, over its measurements. */
function peakMemory({
  reads,
  readsByWrk,
  orders,
  signIns,
  growth,
  hardSearches,
  mixed,
}: Results): { name: string; bytes: number }[] {
  const measured: [string, readonly Outcome[]][] = [];
  for (const call of readCalls) {
    for (const subject of subjects) {
      const outcomes = [reads, readsByWrk].flatMap((some) => some?.[call][subject] ?? []);
      measured.push([`${subjectNames[subject]}, reads`, outcomes]);
    }
  }
  for (const subject of ['SQLite', 'PostgreSQL', 'peer'] as const) {
    if (orders) measured.push([`${subjectNames[subject]}, orders`, orders[subject]]);
  }
  for (const engine of engines) {
    if (signIns) measured.push([`${storeOn(engine)}, sign-ins`, signIns[engine].map(({ whole }) => whole)]);
  }
  for (const { engine, books, calls } of growth ?? []) {
    measured.push([
      `${storeOn(engine)}, ${grouped(books)} books, every call`,
      calls.flatMap((call) => call.outcomes),
    ]);
  }
  for (const { engine, books, together } of hardSearches ?? []) {
    measured.push([`${storeOn(engine)}, ${grouped(books)} books, hard searches`, together]);
  }
  for (const { engine, books, closed, open } of mixed ?? []) {
    measured.push([`${storeOn(engine)}, ${grouped(books)} books, mixed`, [...closed, ...open]]);
  }
  const peaks = new Map<string, number>();
  for (const [name, outcomes] of measured) {
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
      name: `Peak resident memory under load, ${storeOn(engine)}`,
      values: [Math.max(...peaks.map(({ bytes }) => bytes)) / 1e6],
      max: 220,
      unit: 'MB',
    };
  });

function startTargets(start: Start): Target[] {
  const maxBooks = Math.max(...start.map(({ books }) => books));
  return start
    .filter(({ name, books }) => books === maxBooks && name !== subjectNames.peer)
    .map(({ name, ms }) => ({
      name: `From start to first response, ${name}, ${grouped(maxBooks)} books`,
      values: ms,
      max: 1_000,
      unit: 'ms',
    }));
}

function targetTable(targets: readonly Target[]): string {
  return table(
    ['', 'measured', 'target', ''],
    targets.map(({ name, values, min, max, unit = '×' }) => {
      const value = median(values);
      const target =
        min !== undefined ? `≥ ${min} ${unit}` : max !== undefined ? `≤ ${grouped(max)} ${unit}` : '';
      const isMet = (min === undefined || value >= min) && (max === undefined || value <= max);
      return [
        name,
        `**${figure(value)} ${unit}**${spread(values)}`,
        target,
        target && (isMet ? 'met' : 'not met'),
      ];
    }),
  );
}

function readTables(reads: Reads): string {
  return readCalls
    .filter((call) => reads[call].limit.length > 0)
    .map((call) => {
      const size = median(reads[call].limit.map(({ bodyBytes }) => bodyBytes ?? Number.NaN));
      const name = Number.isNaN(size)
        ? readNames[call]
        : `${readNames[call]} (${grouped(Math.round(size))} bytes)`;
      const rows = subjects
        .filter((subject) => reads[call][subject].length > 0)
        .map((subject) => loadRow(subjectNames[subject], reads[call][subject]));
      return `${name}\n\n${table(loadHead, rows)}`;
    })
    .join('\n\n');
}

const loadHead = [
  '',
  'responses/s',
  'p50',
  'p99',
  'cores of the server',
  'responses per core-second',
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
  const measured = values.filter((value) => value !== undefined);
  return measured.length > 0 ? median(measured).toFixed(2) : '–';
};

/** Responses per second of processor time: other processes of the machine affect it less. */
const perCoreSecond = (outcomes: readonly Outcome[]): string => {
  const measured = outcomes.flatMap(({ responsesPerSecond, serverCores }) =>
    serverCores ? responsesPerSecond / serverCores : [],
  );
  return measured.length > 0 ? wholeMedian(measured) : '–';
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
  return `\`POST /addOrder\`, each with a new Idempotency-Key\n\n${table(loadHead, [...limitRows, ...rows])}`;
}

function signInTable(signIns: SignIns): string {
  const rows = engines.flatMap((engine) => [
    loadRow(
      `${storeOn(engine)}, whole`,
      signIns[engine].map(({ whole }) => whole),
    ),
    loadRow(
      `${storeOn(engine)}, from the callback to the session`,
      signIns[engine].map(({ fromCallback }) => fromCallback),
    ),
  ]);
  const head = loadHead.with(1, 'sign-ins/s').with(5, 'sign-ins per core-second');
  return `\`/auth/sign-in\`, the provider, \`/auth/callback\`, \`/auth/session\`\n\n${table(head, rows)}`;
}

function memoryTable(results: Results): string {
  const rows = peakMemory(results).map(({ name, bytes }) => [name, `${Math.round(bytes / 1e6)} MB`]);
  return table(['', 'peak resident memory'], rows);
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
        const first = outcomesOf(fewest, call);
        const outcomesBySize = sizes.map((size) => outcomesOf(size, call));
        const last = outcomesBySize.at(-1) ?? [];
        const cells = outcomesBySize.map(
          (outcomes) => `${milliseconds(p50s(outcomes))} / ${milliseconds(p99s(outcomes))}`,
        );
        const p50Ratio = median(ratios(p50s(last), p50s(first)));
        const p99Ratio = median(ratios(p99s(last), p99s(first)));
        return [call, ...cells, `${figure(p50Ratio)} ×`, `${figure(p99Ratio)} ×`];
      });
      return `${storeOn(engine)}, p50 / p99\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

function isolationTable(disturbances: readonly Disturbance[]): string {
  const rows = disturbances.flatMap(({ name, call, alone, beside }) => [
    loadRow(`\`${call}\` alone`, alone),
    loadRow(`beside ${name}`, beside),
  ]);
  return table(loadHead, rows);
}

function hardSearchTables(hardSearches: HardSearches, searchers: number): string {
  const sizes = engines.flatMap((engine) => endsOf(hardSearches, engine).sizes);
  const nameOf = ({ engine, books }: (typeof sizes)[number]) => `${engine}, ${grouped(books)} books`;
  const rows = (sizes[0]?.alone ?? []).map(({ search }, index) => [
    describeHardSearch(search),
    ...sizes.map(({ alone }) => {
      const outcome = alone[index]?.outcome;
      return outcome ? `${milliseconds([outcome.p50Ms])} / ${milliseconds([outcome.p99Ms])}` : '–';
    }),
  ]);
  return [
    'Each alone, p50 / p99',
    table(['', ...sizes.map(nameOf)], rows),
    `All in turn, over ${searchers} connections`,
    table(
      loadHead,
      sizes.map((size) => loadRow(`Colophon on ${nameOf(size)}`, size.together)),
    ),
  ].join('\n\n');
}

function mixedTable(mixed: Mixed, share: number): string {
  const rows = mixed.flatMap(({ engine, closed, open, arrivalsPerSecond }) => [
    loadRow(`${storeOn(engine)}, at full speed`, closed),
    loadRow(`${storeOn(engine)}, ${grouped(arrivalsPerSecond)} arrivals/s (${share * 100} %)`, open),
  ]);
  return `${grouped(mixed[0]?.books ?? 0)} books; 40 % first page, 15 % next page, 15 % search, 25 % one book, 5 % an order\n\n${table(loadHead, rows)}`;
}

function method({ options }: Results): string {
  const { connections } = options;
  return `- **One machine.** The load, the servers and PostgreSQL share its cores. The load generator (\`lab/bench/load.ts\`) is a separate
  process, which speaks HTTP over plain sockets and so costs less than the servers that it measures. The tables show its share:
  where it is near one core, it limited the fastest servers.
- **Rounds.** Each round measures every subject once, after a warm-up of up to a second. All subjects run all the time.
  Ratios are taken round by round.
- **Closed load**: ${connections} keep-alive connections, each of which sends its next request after a response. **Steady arrivals**:
  requests arrive at an even rate, every millisecond, whether or not earlier ones have their responses; latency is measured from the
  arrival, so that it includes the time in a queue.
- **The store** runs as in production (\`tools/serve.mjs\`): headers, validation, sessions, idempotency, metrics, and the log
  at level \`info\`, to a file. Both engines write durably: SQLite with \`synchronous=full\`, PostgreSQL with \`fsync\` and
  \`synchronous_commit\` on. PostgreSQL's other settings are its defaults.
- **304**: each request has the matching \`If-None-Match\`.
- **\`wrk\`**, where it is installed, is a load generator that others wrote, with ${options.wrkConnections} connections and one thread. It requests one address, without
  a warm-up of its own. It checks the figures of the store's own load generator.
- **Bare \`node:http\`** sends the same headers and bodies as the store, prepared in memory, and reads no header of a request. Its
  headers are lists of names and values, the fastest form that \`writeHead\` takes. Node's settings of its memory are the defaults.
- **nginx**, where it is installed, has one worker, and sends the same headers and bodies from files, which it keeps open; it adds \`Server\`. Its 304s are
  prepared too.
- **Express + pg** (\`lab/bench/peers/express-pg\`) is the same store as a competent developer writes it: a pool of ten connections,
  like the store's; prepared statements, indexes, sessions in a table, orders in one statement with a unique key. It
  compresses with the \`compression\` middleware; its figures with \`accept-encoding: identity\` are the better ones. Its 304s are
  those of Express, which computes the ETag from the response.
- **Durable inserts** go into a table like \`orders\`, with the same indexes, over as many connections.
- **Sign-ins** come from ${connections} visitors, each time in a new browser without cookies, and go on to the session. The provider
  (\`lab/bench/identity-provider.ts\`) agrees at once and checks nothing, but signs each ID token. Store, provider and load share the
  cores: the store's own limit is its sign-ins per core-second.
- **Beside other calls**: the call is measured alone and then while the others go on, by \`wrk\` where it is installed. A
  search that is refused with 503 counts as sent. The slow disk is \`strace\`, which holds each fsync of the store for ${slowFsyncMs} ms, alone too.
- **Growth** has ${connections} connections as well, so its latencies are those of a busy store. Each database has as many orders as books,
  and one customer with a thousand orders, of which a response lists 200. A first page and a search list up to 200 books; with a
  hundred books they list fewer. “One book” requests a thousand books again and again, so that the responses are cached;
  “one book, not cached” requests the same books in a way that reads the database. The single searches are measured in the first
  round only. In the mixed load the books are cached as well.
- **Hard searches** (\`lab/bench/hard-searches.ts\`): common words, short ones, many, none that match, in each order, and pages deep in
  the catalogue; each is measured alone for half a second, in one round, and all of them in turn over ${options.searchers} connections.
- **Start** is the time from the start of the process to its first good \`GET /books\`, with Node's compile cache filled by an earlier
  start and the files in the system's page cache.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Three significant digits. */
const figure = (value: number): string =>
  value >= 100 ? grouped(Math.round(value)) : value.toPrecision(3).replace(/^(0\.\d\d)\d$/, '$1');

const wholeMedian = (values: readonly number[]): string => grouped(Math.round(median(values)));

const milliseconds = (values: readonly number[]): string => `${figure(median(values))} ms`;

function spread(values: readonly number[]): string {
  return values.length > 1 ? ` (${figure(Math.min(...values))}–${figure(Math.max(...values))})` : '';
}
