/** The report: ratios and targets first, then the figures of each section. */

import type { Section, Target } from './bench.ts';
import { engines } from './databases.ts';
import { slowFsyncMs } from './isolation.ts';
import type { Machine } from './machine.ts';
import { storeOn } from './processes.ts';
import { table, targetTable } from './tables.ts';
import { defaultConnections } from './wrk.ts';

export type Results = {
  machine: Machine;
  minutes: number;
  rounds: number;
  seconds: number;
  sections: readonly Section[];
  /** The most resident memory of each server, by its name. */
  peakBytes: ReadonlyMap<string, number>;
};

/** @returns the report in Markdown. */
export function writeReport(results: Results): string {
  const { sections, peakBytes } = results;
  const targets = [...sections.flatMap((section) => section.targets), ...memoryTargets(peakBytes)];
  return [
    '# Measurements',
    introduction(results),
    '## Ratios and targets',
    'Each figure is the median of the rounds, with the lowest and the highest in brackets.',
    targetTable(targets),
    ...sections.flatMap(({ title, text }) => [`## ${title}`, text]),
    '## Memory',
    table(
      ['', 'peak resident memory'],
      [...peakBytes].map(([name, bytes]) => [name, `${Math.round(bytes / 1e6)} MB`]),
    ),
    '## How this was measured',
    method,
    '',
  ].join('\n\n');
}

function introduction({ machine, rounds, seconds, minutes }: Results): string {
  const { processor, cores, memoryGiB, system, fileSystem, versions, date } = machine;
  const parts = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Written by \`npm run bench\` on ${date}, in one run of ${minutes.toFixed(1)} minutes on one machine:`,
    `${processor}, ${cores} cores, ${memoryGiB} GiB of memory, ${system}, files on ${fileSystem}. ${parts.join(', ')}.`,
    `Rounds, interleaved: ${rounds}; seconds a measurement: ${seconds}; connections: ${defaultConnections}.`,
  ].join('\n');
}

const memoryTargets = (peakBytes: ReadonlyMap<string, number>): Target[] =>
  engines.flatMap((engine) => {
    const peaks = [...peakBytes].filter(([name]) => name.startsWith(storeOn(engine)));
    if (peaks.length === 0) return [];
    return {
      name: `Peak resident memory under load, ${storeOn(engine)}`,
      values: [Math.max(...peaks.map(([, bytes]) => bytes)) / 1e6],
      max: 200,
      unit: 'MB',
    };
  });

const method = `- **\`wrk\`** (https://github.com/wg/wrk), a load generator that others wrote, sends the load: from one thread, over ${defaultConnections} keep-alive
  connections, each of which sends its next request after a response. A script (\`lab/bench/wrk.lua\`) gives it several requests
  in turn, and to each order a new key and a customer's session. Throughput, p50 and p99 are wrk's own. It counts a response that
  took more than twice the mean like those that a steady load would have had meanwhile too, which raises the p99.
- **Own loads** are for what wrk cannot do: steady arrivals (\`lab/bench/arrivals.ts\`), whose latency is measured from the arrival, so
  that it includes the time in a queue; sign-ins (\`lab/bench/sign-ins.ts\`), which follow redirects and keep cookies; and the hard
  searches alone, one request after another.
- **One machine.** The load, the servers and PostgreSQL share its cores. The tables show the load's part: where it is near one core,
  it limited the fastest servers.
- **Processor time** is that of the server's process and of those that it started, in user and system mode, divided by the responses.
  Other work on the machine affects it least. SQLite runs inside the store, so its time is included; PostgreSQL's is not.
- **Rounds.** A second of each measurement, which does not count, warms everything up. Then each round measures every subject
  once. All subjects run all the time. Ratios are taken round by round. Before each measurement PostgreSQL makes a checkpoint, and the
  system writes what is left: both would otherwise write, during one, what the one before has changed. PostgreSQL's own checkpoints,
  every five minutes, are not in the figures.
- **The store** runs as in production (\`tools/serve.mjs\`): headers, validation, sessions, idempotency, metrics, and the log
  at level \`info\`, to a file. Both engines write durably: SQLite with \`synchronous=full\`, PostgreSQL with \`fsync\` and
  \`synchronous_commit\` on. PostgreSQL's other settings are its defaults.
- **Reads** request one address again and again. For a **304** each request has the matching \`If-None-Match\`.
- **Bare \`node:http\`** sends the same headers and bodies as the store, prepared in memory, and reads no header of a request. Its
  headers are lists of names and values, the fastest form that \`writeHead\` takes. Node's settings of its memory are the defaults.
- **nginx**, where it is installed, has one worker, and sends the same headers and bodies from files, which it keeps open; it adds
  \`Server\`. Its 304s are prepared too.
- **Express + pg** (\`lab/bench/peers/express-pg\`) is the same store as a competent developer writes it: a pool of ten connections,
  like the store's; prepared statements, indexes, sessions in a table, orders in one statement with a unique key. It
  compresses with the \`compression\` middleware; its figures with \`accept-encoding: identity\` are the better ones. Its 304s are
  those of Express, which computes the ETag from the response.
- **The limits of orders** are single durable inserts into a table like \`orders\`, with the same indexes: by pgbench, where it is
  installed, over as many connections; by \`node:sqlite\` in a loop; and by \`node:http\` with \`pg\` (\`lab/bench/limits/insert-server.ts\`),
  which gets the same orders, and knows no sessions, keys or log. After each measurement the orders in the database are
  counted: each response stands for one.
- **Sign-ins** come from ${defaultConnections} visitors, each time in a new browser without cookies, and go on to the session. The provider
  (\`lab/bench/identity-provider.ts\`) agrees at once and checks nothing, but signs each ID token. Store, provider and load share
  the cores: the store's own limit is its processor time.
- **Growth**: the latencies are those of a busy store. Each database has as many orders as books, and one customer with a thousand
  orders, of which a response lists 200. A first page and a search list up to 200 books; with a hundred books they list fewer.
  “One book” requests a thousand books again and again, so that the responses are cached; “one book, not cached” requests the
  same books in a way that reads the database. In the mixed load the books are cached as well.
- **Hard searches** (\`lab/bench/hard-queries.ts\`): common words, short ones, many, none that match, in each order, and pages deep in
  the catalogue.
- **Beside other calls**: the call is measured alone, and then while the others go on. A search that is refused with 503 counts as
  sent, and the processor time is that of all calls. The slow disk is \`strace\`, which holds each fsync of the store for ${slowFsyncMs} ms, alone too.
- **Memory** is the most that the process had at any time (\`VmHWM\`).
- **Start** is the time from the start of the process to its first good \`GET /books\`, with Node's compile cache filled by an earlier
  start and the files in the system's page cache.`;
