/** `npm run bench`: runs the measurements and writes the report. */

import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { positiveNumber, readOptions, someOf, text, wholeNumber } from '../../tools/options.ts';
import * as calls from './calls.ts';
import { type Databases, type Engine, engines, type FilledDatabase, openDatabases } from './databases.ts';
import { median } from './figures.ts';
import { hardSearches } from './hard-searches.ts';
import { searches } from './invented-books.ts';
import { measureIsolation } from './isolation.ts';
import type { BareResponse } from './limits/http-server.ts';
import { measurePostgresInserts, measureSqliteInserts } from './limits/inserts.ts';
import { nginxProgram } from './limits/nginx.ts';
import type { Outcome, PlannedKind } from './load.ts';
import { describeMachine } from './machine.ts';
import { fillPeer } from './peers/express-pg/tables.ts';
import {
  measure,
  measureSignIns as sendSignIns,
  startBareServer,
  startIdentityProvider,
  startMeasuredStore,
  startNginx,
  startPeer,
} from './processes.ts';
import { grouped, openProgress } from './progress.ts';
import { writeReport } from './report.ts';
import {
  type Growth,
  type GrowthCall,
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
  sections,
  storeOn,
  subjects,
} from './results.ts';
import { measureByWrk, wrkProgram } from './wrk.ts';

const connections = 32;
/** Connections that send hard searches at the same time. */
const searchers = 8;
const wrkConnections = 16;
const fewBooks = 100;
const someBooks = 10_000;
/** Rate of the mixed load's arrivals, as a share of the highest rate that the store reached. */
const mixedShare = 0.5;

const options = readOptions('npm run bench', 'Measures the store and prints a report.', {
  seconds: positiveNumber('seconds of each measurement', 5),
  rounds: wholeNumber('rounds of each measurement', 3, 1),
  books: wholeNumber('books of the largest catalogue', 1_000_000, fewBooks),
  only: someOf('a section of the report', sections),
  out: text('a file for the report; without any option it is results.md', 'file'),
});
const isComplete = process.argv.length === 2;

const progress = openProgress(process.stdout);
const print = (line: string) => progress.print(`${new Date().toTimeString().slice(0, 8)} ${line}`);

/** The processes to stop at the end, also after an error. */
const running = new Set<ServerProcess>();
async function track(starting: Promise<ServerProcess>): Promise<ServerProcess> {
  const started = await starting;
  running.add(started);
  return started;
}
async function stop(...servers: ServerProcess[]): Promise<void> {
  for (const server of servers) {
    await server.stop();
    running.delete(server);
  }
}

type LoadOptions = {
  encoding?: string;
  seconds?: number;
  warmUpSeconds?: number;
  arrivalsPerSecond?: number;
  openConnections?: number;
};

function load(
  server: ServerProcess,
  kinds: readonly PlannedKind[],
  loadOptions: LoadOptions = {},
): Promise<Outcome> {
  const { encoding = 'identity', seconds = options.seconds, arrivalsPerSecond } = loadOptions;
  return measure({
    port: server.port,
    pid: server.pid,
    headers: { 'accept-encoding': encoding },
    kinds,
    connections: loadOptions.openConnections ?? connections,
    warmUpSeconds: loadOptions.warmUpSeconds ?? Math.min(1, seconds / 2),
    seconds,
    ...(arrivalsPerSecond === undefined ? {} : { arrivalsPerSecond }),
  });
}

/** The first requests of a process are slow, until its code is compiled: they are sent before the measurements. */
async function warmUp(server: ServerProcess, kinds: readonly PlannedKind[]): Promise<void> {
  await load(server, kinds, { seconds: Math.min(1, options.seconds / 2) });
}

async function repeat(measurements: readonly (() => Promise<void>)[], name: string): Promise<void> {
  for (let round = 1; round <= options.rounds; round += 1) {
    print(`${name}, round ${round} of ${options.rounds}`);
    for (const measurement of measurements) await measurement();
  }
}

const storeAt = (database: FilledDatabase, databases: Databases): Promise<ServerProcess> =>
  track(startMeasuredStore(database.url, join(databases.folder, `${database.engine}-${database.books}.log`)));

async function measureReads(
  databases: Databases,
  small: Record<Engine, FilledDatabase>,
): Promise<Pick<Results, 'reads' | 'readsByWrk'>> {
  const stores = {
    SQLite: await storeAt(small.SQLite, databases),
    PostgreSQL: await storeAt(small.PostgreSQL, databases),
  };
  const peer = await track(startPeer(await peerDatabase(databases, 'peer_reads', small.PostgreSQL)));
  const limits = await startLimits(stores.SQLite, small.SQLite, databases.folder);
  for (const [name, program] of [
    ['nginx', nginxProgram],
    ['wrk', wrkProgram],
  ]) {
    if (!program) print(`${name} is not installed: the reads are measured without it`);
  }

  const reads = noReads();
  const byWrk = noReads();
  const measurements: (() => Promise<void>)[] = [];
  for (const call of readCalls) {
    const { isBook, isNotModified, encoding } = readVariants[call];
    const responses = isNotModified ? limits.notModified : limits[encoding];
    for (const subject of subjects) {
      const server = { ...stores, peer, ...responses }[subject];
      if (!server) continue;
      const isOnPostgres = subject === 'PostgreSQL' || subject === 'peer';
      const database = isOnPostgres ? small.PostgreSQL : small.SQLite;
      const plain = isBook ? calls.oneBook(database) : calls.bookList();
      const [first] = plain.requests;
      if (!first) continue;
      const status = isNotModified ? 304 : 200;
      const isLimit = subject === 'limit' || subject === 'nginx';
      const etags = isNotModified ? await etagsOf(isLimit ? stores.SQLite : server, plain) : undefined;
      const headers = etags ? { 'if-none-match': etags.get(first.path) ?? '' } : {};
      const kind = isLimit
        ? calls.fixedResponse(first.path, { status, headers })
        : etags
          ? calls.revalidation(plain, etags)
          : plain;
      measurements.push(async () => {
        reads[call][subject].push(await load(server, [kind], { encoding }));
      });
      if (!wrkProgram || encoding === 'gzip' || subject === 'peer') continue;
      const plan = {
        server,
        path: first.path,
        headers: { 'accept-encoding': encoding, ...headers },
        expectedStatus: status,
        connections: wrkConnections,
        seconds: options.seconds,
      };
      measurements.push(async () => {
        byWrk[call][subject].push(await measureByWrk(plan));
      });
    }
  }
  for (const engine of engines) await warmUp(stores[engine], [calls.oneBook(small[engine])]);
  await warmUp(peer, [calls.oneBook(small.PostgreSQL)]);
  await repeat(measurements, 'reads');
  const limitServers = Object.values(limits).flatMap(({ limit, nginx }) =>
    nginx ? [limit, nginx] : [limit],
  );
  await stop(stores.SQLite, stores.PostgreSQL, peer, ...limitServers);
  return { reads, readsByWrk: wrkProgram ? byWrk : undefined };
}

function noReads(): Reads {
  const empty = () => ({ limit: [], nginx: [], SQLite: [], PostgreSQL: [], peer: [] });
  return {
    books: empty(),
    booksGzip: empty(),
    booksNotModified: empty(),
    book: empty(),
    bookNotModified: empty(),
  };
}

type ReadVariant = { isBook: boolean; isNotModified: boolean; encoding: 'identity' | 'gzip' };

const readVariants: Readonly<Record<ReadCall, ReadVariant>> = {
  books: { isBook: false, isNotModified: false, encoding: 'identity' },
  booksGzip: { isBook: false, isNotModified: false, encoding: 'gzip' },
  booksNotModified: { isBook: false, isNotModified: true, encoding: 'identity' },
  book: { isBook: true, isNotModified: false, encoding: 'identity' },
  bookNotModified: { isBook: true, isNotModified: true, encoding: 'identity' },
};

/** The limits send the store's responses. There are several of each, since each sends one response for a path. */
async function startLimits(store: ServerProcess, database: FilledDatabase, folder: string) {
  const bookPath = calls.oneBook(database).requests[0]?.path ?? '';
  const start = async (name: string, headers: Record<string, string>) => {
    const responses = [
      await copyResponse(store, paths.books, headers),
      await copyResponse(store, bookPath, headers),
    ];
    return {
      limit: await track(startBareServer(responses, join(folder, `bare-${name}.json`))),
      nginx:
        nginxProgram && (await track(startNginx(nginxProgram, responses, join(folder, `nginx-${name}`)))),
    };
  };
  return {
    identity: await start('identity', { 'accept-encoding': 'identity' }),
    gzip: await start('gzip', { 'accept-encoding': 'gzip' }),
    notModified: await start('not-modified', { 'accept-encoding': 'identity', 'if-none-match': '*' }),
  };
}

/** @returns a response of the store, for the limits to send. */
async function copyResponse(
  { origin }: ServerProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<BareResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(origin + path, { headers, agent: false }, resolve).on('error', reject);
  });
  const body = Buffer.concat(await response.toArray());
  return {
    path,
    status: response.statusCode ?? 0,
    headers: withoutConnectionHeaders(response.rawHeaders),
    body: body.toString('base64'),
  };
}

/** Leaves out the headers that node:http adds to every response. @param headers names and values in turn. */
function withoutConnectionHeaders(headers: readonly string[]): string[] {
  const added = ['date', 'connection', 'keep-alive'];
  return headers.filter((_, index) => !added.includes((headers[index - (index % 2)] ?? '').toLowerCase()));
}

/** @returns the ETag of each path that the kind requests. */
async function etagsOf({ origin }: ServerProcess, { requests }: PlannedKind): Promise<Map<string, string>> {
  const etags = new Map<string, string>();
  for (const { path } of requests) {
    const response = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } });
    await response.arrayBuffer();
    etags.set(path, response.headers.get('etag') ?? '');
  }
  return etags;
}

async function peerDatabase(databases: Databases, name: string, like: FilledDatabase): Promise<string> {
  const url = await databases.createOnPostgres(name);
  await fillPeer(url, like.newestBooks, [...like.buyers, like.regular]);
  return url;
}

async function measureOrders(databases: Databases, small: Record<Engine, FilledDatabase>): Promise<Orders> {
  const stores = {
    SQLite: await storeAt(small.SQLite, databases),
    PostgreSQL: await storeAt(small.PostgreSQL, databases),
  };
  const peer = await track(startPeer(await peerDatabase(databases, 'peer_orders', small.PostgreSQL)));
  const { seconds } = options;
  const orders: Orders = {
    SQLite: [],
    PostgreSQL: [],
    peer: [],
    limits: { SQLite: { by: '', insertsPerSecond: [] }, PostgreSQL: { by: '', insertsPerSecond: [] } },
  };
  const limit = (engine: Engine, measured: { by: string; insertsPerSecond: number }) => {
    orders.limits[engine].by = measured.by;
    orders.limits[engine].insertsPerSecond.push(measured.insertsPerSecond);
  };
  const limitFile = join(databases.folder, 'limit.db');

  for (const engine of engines) await warmUp(stores[engine], [calls.order(small[engine])]);
  await warmUp(peer, [calls.order(small.PostgreSQL)]);
  await repeat(
    [
      async () =>
        limit('PostgreSQL', await measurePostgresInserts(small.PostgreSQL.url, { connections, seconds })),
      async () => {
        orders.PostgreSQL.push(await load(stores.PostgreSQL, [calls.order(small.PostgreSQL)]));
      },
      async () => {
        orders.peer.push(await load(peer, [calls.order(small.PostgreSQL)]));
      },
      async () => {
        orders.SQLite.push(await load(stores.SQLite, [calls.order(small.SQLite)]));
      },
      async () => limit('SQLite', await measureSqliteInserts(limitFile, { seconds })),
    ],
    'orders',
  );
  await stop(stores.SQLite, stores.PostgreSQL, peer);
  return orders;
}

/** Into empty databases: a store with another provider ends the sessions that began under the first. */
async function measureSignIns(databases: Databases): Promise<SignIns> {
  const provider = await track(startIdentityProvider());
  const urls = {
    SQLite: `sqlite:${join(databases.folder, 'sign-ins.db')}`,
    PostgreSQL: await databases.createOnPostgres('sign_ins'),
  };
  const signIns: SignIns = { SQLite: [], PostgreSQL: [] };
  const stores: ServerProcess[] = [];
  const measurements: (() => Promise<void>)[] = [];
  for (const engine of engines) {
    const log = join(databases.folder, `sign-ins-${engine}.log`);
    const store = await track(startMeasuredStore(urls[engine], log, { OIDC_ISSUER: provider.origin }));
    stores.push(store);
    measurements.push(async () => {
      const { port, pid } = store;
      const { seconds } = options;
      const plan = { port, pid, visitors: connections, warmUpSeconds: Math.min(1, seconds / 2), seconds };
      signIns[engine].push(await sendSignIns(plan));
    });
  }
  await repeat(measurements, 'sign-ins');
  await stop(...stores, provider);
  return signIns;
}

async function measureStart(databases: Databases, filled: readonly FilledDatabase[]): Promise<Start> {
  const peerUrl = await peerDatabase(databases, 'peer_start', filledFor(filled, 'PostgreSQL', fewBooks));
  const starts: Start = [
    ...filled.map((database) => ({ name: storeOn(database.engine), books: database.books, ms: [] })),
    { name: 'Express + pg', books: fewBooks, ms: [] },
  ];
  await repeat(
    starts.map(({ ms }, index) => async () => {
      const database = filled[index];
      const started = await track(database ? startStoreOnce(database, databases) : startPeer(peerUrl));
      ms.push(started.readyAfterMs);
      await stop(started);
    }),
    'cold starts',
  );
  return starts;
}

const startStoreOnce = (database: FilledDatabase, databases: Databases) =>
  startMeasuredStore(database.url, join(databases.folder, 'starts.log'));

async function measureGrowth(databases: Databases, filled: readonly FilledDatabase[]): Promise<Growth> {
  // Half the time: there are six databases, and many calls.
  const seconds = options.seconds / 2;
  const stores = new Map<FilledDatabase, ServerProcess>();
  for (const database of filled) stores.set(database, await storeAt(database, databases));
  const kinds: Record<GrowthCall, (database: FilledDatabase) => PlannedKind> = {
    'first page': calls.bookList,
    'next page': calls.nextPage,
    search: calls.search,
    'one book': calls.oneBook,
    'one book, not cached': calls.oneBookFromDatabase,
    'an order': calls.order,
    'a customer’s orders': calls.ordersOfRegular,
    'search: common': () => calls.searchOf(searches.common),
    'search: rare': () => calls.searchOf(searches.rare),
    'search: two words': () => calls.searchOf(searches.twoWords),
    'search: two letters': () => calls.searchOf(searches.twoLetters),
    'search: no match': () => calls.searchOf(searches.noMatch),
  };
  const growth: Growth = filled.map(({ engine, books }) => ({
    engine,
    books,
    calls: growthCalls.map((call) => ({ call, outcomes: [] })),
  }));
  await repeat(
    growthCalls.flatMap((call, callIndex) =>
      filled.map((database, index) => async () => {
        const store = stores.get(database);
        if (!store) throw new Error('a store that was not started');
        const outcomes = growth[index]?.calls[callIndex]?.outcomes;
        const isPart = call.startsWith('search: ');
        // The single searches are measured in the first round only.
        if (isPart && outcomes?.length) return;
        outcomes?.push(
          await load(store, [kinds[call](database)], {
            seconds: isPart ? seconds / 2 : seconds,
            warmUpSeconds: seconds / 5,
          }),
        );
      }),
    ),
    'growth',
  );
  await stop(...stores.values());
  return growth;
}

async function measureHardSearches(
  databases: Databases,
  filled: readonly FilledDatabase[],
): Promise<HardSearches> {
  const results: HardSearches = [];
  for (const database of filled) {
    const { engine, books } = database;
    print(`hard searches of ${grouped(books)} books, ${engine}`);
    const store = await storeAt(database, databases);
    const kinds = hardSearches.map((search) => calls.hardSearch(search, database));
    await warmUp(store, [calls.search()]);
    const alone: HardSearches[number]['alone'] = [];
    for (const [index, search] of hardSearches.entries()) {
      const kind = kinds[index];
      if (!kind) continue;
      // There are many: each is measured once, for a short time.
      const seconds = 0.5;
      const outcome = await load(store, [kind], { openConnections: 1, seconds, warmUpSeconds: seconds / 5 });
      alone.push({ search, outcome });
    }
    const inTurn = { weight: 1, expectedStatus: 200, requests: kinds.flatMap(({ requests }) => requests) };
    const together: Outcome[] = [];
    await repeat(
      [async () => void together.push(await load(store, [inTurn], { openConnections: searchers }))],
      'hard searches together',
    );
    await stop(store);
    results.push({ engine, books, alone, together });
  }
  return results;
}

async function measureMixed(databases: Databases, filled: readonly FilledDatabase[]): Promise<Mixed> {
  const results: Mixed = [];
  for (const engine of engines) {
    const database = filledFor(filled, engine, options.books);
    const store = await storeAt(database, databases);
    const kinds = calls.mixed(database);
    await warmUp(store, kinds);
    const closed: Outcome[] = [];
    await repeat([async () => void closed.push(await load(store, kinds))], `mixed capacity, ${engine}`);
    const arrivalsPerSecond = Math.floor(
      mixedShare * median(closed.map(({ responsesPerSecond }) => responsesPerSecond)),
    );
    const open: Outcome[] = [];
    await repeat(
      [async () => void open.push(await load(store, kinds, { arrivalsPerSecond }))],
      `mixed at ${grouped(arrivalsPerSecond)} arrivals/s, ${engine}`,
    );
    await stop(store);
    results.push({ engine, books: options.books, arrivalsPerSecond, closed, open });
  }
  return results;
}

function filledFor(filled: readonly FilledDatabase[], engine: Engine, books: number): FilledDatabase {
  const found = filled.find((database) => database.engine === engine && database.books === books);
  if (!found) throw new Error(`no database of ${engine} with ${books} books`);
  return found;
}

async function measureAll(databases: Databases): Promise<Results> {
  const wants = (...names: readonly string[]) => options.only.some((section) => names.includes(section));
  const began = performance.now();
  const results: Results = {
    machine: describeMachine(databases.postgresVersion, databases.fileSystem, {
      nginx: nginxProgram,
      wrk: wrkProgram,
    }),
    options: { ...options, connections, searchers, wrkConnections, mixedShare },
    minutes: 0,
  };
  const filled: FilledDatabase[] = [];
  const fill = async (books: number) => {
    if (filled.some((database) => database.books === books)) return;
    for (const engine of engines) {
      print(`filling ${engine} with ${grouped(books)} books and as many orders`);
      filled.push(await databases.fill(engine, books, progress));
    }
  };

  await fill(fewBooks);
  const small = {
    SQLite: filledFor(filled, 'SQLite', fewBooks),
    PostgreSQL: filledFor(filled, 'PostgreSQL', fewBooks),
  };
  if (wants('reads')) Object.assign(results, await measureReads(databases, small));
  if (wants('orders')) results.orders = await measureOrders(databases, small);
  if (wants('sign-ins')) results.signIns = await measureSignIns(databases);
  if (wants('growth')) await fill(someBooks);
  if (wants('growth', 'hard-searches', 'mixed', 'start', 'isolation')) await fill(options.books);
  const ends = filled.filter(({ books }) => books === fewBooks || books === options.books);
  if (wants('start')) results.start = await measureStart(databases, ends);
  if (wants('growth')) results.growth = await measureGrowth(databases, filled);
  if (wants('hard-searches')) results.hardSearches = await measureHardSearches(databases, ends);
  if (wants('isolation')) {
    results.isolation = await measureIsolation({
      sqlite: filledFor(filled, 'SQLite', options.books),
      postgres: filledFor(filled, 'PostgreSQL', options.books),
      folder: databases.folder,
      connections: wrkConnections,
      seconds: options.seconds,
      track,
      stop,
      repeat,
    });
  }
  if (wants('mixed')) results.mixed = await measureMixed(databases, filled);
  results.minutes = (performance.now() - began) / 60_000;
  return results;
}

const databases = await openDatabases();
const closeAll = async () => {
  await Promise.allSettled([...running].map((server) => server.stop()));
  await databases.close();
};
process.once('SIGINT', () => {
  closeAll().finally(() => process.exit(130));
});
try {
  const report = writeReport(await measureAll(databases));
  const file = options.out ?? (isComplete ? join(import.meta.dirname, 'results.md') : undefined);
  if (file) await writeFile(file, report);
  process.stdout.write(`\n${report}\n${file ? `Written to ${file}\n` : ''}`);
} finally {
  await closeAll();
}
