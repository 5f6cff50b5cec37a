/** `npm run bench`: every measurement, in order, and one report. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as calls from './calls.ts';
import { type Databases, type Engine, engines, type FilledDatabase, openDatabases } from './databases.ts';
import { median } from './figures.ts';
import { searches } from './invented-books.ts';
import type { BareAnswer } from './limits/http-server.ts';
import { measurePostgresInserts, measureSqliteInserts } from './limits/inserts.ts';
import type { Outcome, PlannedKind } from './load.ts';
import { describeMachine } from './machine.ts';
import { fillPeer } from './peers/express-pg/tables.ts';
import { measure, type Running, startBareServer, startPeer, startStore } from './processes.ts';
import { grouped, openProgress } from './progress.ts';
import { writeReport } from './report.ts';
import {
  type Growth,
  type GrowthCall,
  growthCalls,
  type Mixed,
  type Orders,
  type Reads,
  type Results,
  readCalls,
  type Start,
  sections,
  storeOn,
} from './results.ts';

const connections = 32;
const fewBooks = 100;
const someBooks = 10_000;
/** The share of what the store can do at most at which the mixed load arrives. */
const mixedShare = 0.5;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    books: { type: 'string', default: '1000000' },
    only: { type: 'string', multiple: true, default: [...sections] },
    out: { type: 'string' },
  },
});
const options = {
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  books: Number(values.books),
  only: sections.filter((section) => values.only.includes(section)),
};
const isWhole = process.argv.length === 2;

const progress = openProgress(process.stdout);
const say = (what: string) => progress.say(`${new Date().toTimeString().slice(0, 8)} ${what}`);

/** What is running, for the end, whatever that is. */
const running = new Set<Running>();
async function keep(starting: Promise<Running>): Promise<Running> {
  const started = await starting;
  running.add(started);
  return started;
}
async function stop(...some: Running[]): Promise<void> {
  for (const one of some) {
    await one.stop();
    running.delete(one);
  }
}

type LoadOptions = { coding?: string; seconds?: number; warmUpSeconds?: number; arrivalsPerSecond?: number };

function load(at: Running, kinds: readonly PlannedKind[], loadOptions: LoadOptions = {}): Promise<Outcome> {
  const { coding = 'identity', seconds = options.seconds, arrivalsPerSecond } = loadOptions;
  return measure({
    port: at.port,
    pid: at.pid,
    headers: { 'accept-encoding': coding },
    kinds,
    connections,
    warmUpSeconds: loadOptions.warmUpSeconds ?? Math.min(1, seconds / 2),
    seconds,
    ...(arrivalsPerSecond === undefined ? {} : { arrivalsPerSecond }),
  });
}

/** The first requests of a process are compiled as they come; they are sent before anything is timed. */
async function warmUp(at: Running, kinds: readonly PlannedKind[]): Promise<void> {
  await load(at, kinds, { seconds: Math.min(1, options.seconds / 2) });
}

async function rounds(measurements: readonly (() => Promise<void>)[], what: string): Promise<void> {
  for (let round = 1; round <= options.rounds; round += 1) {
    say(`${what}, round ${round} of ${options.rounds}`);
    for (const measurement of measurements) await measurement();
  }
}

const storeAt = (database: FilledDatabase, databases: Databases): Promise<Running> =>
  keep(startStore(database.url, join(databases.folder, `${database.engine}-${database.books}.log`)));

async function measureReads(databases: Databases, small: Record<Engine, FilledDatabase>): Promise<Reads> {
  const stores = {
    SQLite: await storeAt(small.SQLite, databases),
    PostgreSQL: await storeAt(small.PostgreSQL, databases),
  };
  const peer = await keep(startPeer(await peerDatabase(databases, 'peer_reads', small.PostgreSQL)));
  const bookPath = calls.oneBook(small.SQLite).requests[0]?.path ?? '';
  const bare = {
    identity: await keep(
      startBareServer([
        await answerOf(stores.SQLite, '/books', 'identity'),
        await answerOf(stores.SQLite, bookPath, 'identity'),
      ]),
    ),
    gzip: await keep(startBareServer([await answerOf(stores.SQLite, '/books', 'gzip')])),
  };

  const reads: Reads = {
    books: { limit: [], SQLite: [], PostgreSQL: [], peer: [] },
    booksGzip: { limit: [], SQLite: [], PostgreSQL: [], peer: [] },
    book: { limit: [], SQLite: [], PostgreSQL: [], peer: [] },
  };
  const bareBook: PlannedKind = { weight: 1, requests: [{ method: 'GET', path: bookPath }] };
  const measurements = readCalls.flatMap((call) => {
    const coding = call === 'booksGzip' ? 'gzip' : 'identity';
    const kindFor = (database: FilledDatabase) =>
      call === 'book' ? calls.oneBook(database) : calls.firstPage();
    const add = (to: Outcome[], at: Running, kind: PlannedKind) => async () => {
      to.push(await load(at, [kind], { coding }));
    };
    return [
      add(reads[call].limit, bare[coding], call === 'book' ? bareBook : calls.firstPage()),
      add(reads[call].SQLite, stores.SQLite, kindFor(small.SQLite)),
      add(reads[call].PostgreSQL, stores.PostgreSQL, kindFor(small.PostgreSQL)),
      add(reads[call].peer, peer, kindFor(small.PostgreSQL)),
    ];
  });
  for (const engine of engines) await warmUp(stores[engine], [calls.oneBook(small[engine])]);
  await warmUp(peer, [calls.oneBook(small.PostgreSQL)]);
  await rounds(measurements, 'reads');
  await stop(stores.SQLite, stores.PostgreSQL, peer, bare.identity, bare.gzip);
  return reads;
}

/** The bytes that the store sends, headers and all, for the bare server to send. */
async function answerOf(store: Running, path: string, coding: string): Promise<BareAnswer> {
  const { get } = await import('node:http');
  return await new Promise((resolve, reject) => {
    const options = { port: store.port, host: '127.0.0.1', path, headers: { 'accept-encoding': coding } };
    get(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        // These node:http writes itself, for either server.
        const { date: _, connection: __, 'keep-alive': ___, ...headers } = answer.headers;
        resolve({ path, headers, body: Buffer.concat(chunks).toString('base64') });
      });
    }).on('error', reject);
  });
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
  const peer = await keep(startPeer(await peerDatabase(databases, 'peer_orders', small.PostgreSQL)));
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
  await rounds(
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

async function measureStart(databases: Databases, filled: readonly FilledDatabase[]): Promise<Start> {
  const peerUrl = await peerDatabase(databases, 'peer_start', filledFor(filled, 'PostgreSQL', fewBooks));
  const starts: Start = [
    ...filled.map((database) => ({ name: storeOn(database.engine), books: database.books, ms: [] })),
    { name: 'Express + pg', books: fewBooks, ms: [] },
  ];
  await rounds(
    starts.map(({ ms }, index) => async () => {
      const database = filled[index];
      const started = await keep(database ? startStoreOnce(database, databases) : startPeer(peerUrl));
      ms.push(started.firstAnswerMs);
      await stop(started);
    }),
    'cold starts',
  );
  return starts;
}

const startStoreOnce = (database: FilledDatabase, databases: Databases) =>
  startStore(database.url, join(databases.folder, 'starts.log'));

async function measureGrowth(databases: Databases, filled: readonly FilledDatabase[]): Promise<Growth> {
  // Half the time for each, and a shorter warm-up: there are six databases, and as many calls.
  const seconds = options.seconds / 2;
  const stores = new Map<FilledDatabase, Running>();
  for (const database of filled) stores.set(database, await storeAt(database, databases));
  const kinds: Record<GrowthCall, (database: FilledDatabase) => PlannedKind> = {
    'first page': calls.firstPage,
    'next page': calls.nextPage,
    search: calls.search,
    'one book': calls.oneBook,
    'one book, not yet asked for': calls.oneBookFromDatabase,
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
  await rounds(
    growthCalls.flatMap((call, callIndex) =>
      filled.map((database, index) => async () => {
        const store = stores.get(database);
        if (!store) throw new Error('a store that was not started');
        // What makes up the mix of searches is told apart once.
        const outcomes = growth[index]?.calls[callIndex]?.outcomes;
        const isPart = call.startsWith('search: ');
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

async function measureMixed(databases: Databases, filled: readonly FilledDatabase[]): Promise<Mixed> {
  const results: Mixed = [];
  for (const engine of engines) {
    const database = filledFor(filled, engine, options.books);
    const store = await storeAt(database, databases);
    const kinds = calls.mixed(database);
    await warmUp(store, kinds);
    const closed: Outcome[] = [];
    await rounds([async () => void closed.push(await load(store, kinds))], `mixed capacity, ${engine}`);
    const arrivalsPerSecond = Math.floor(
      mixedShare * median(closed.map(({ answersPerSecond }) => answersPerSecond)),
    );
    const open: Outcome[] = [];
    await rounds(
      [async () => void open.push(await load(store, kinds, { arrivalsPerSecond }))],
      `mixed at ${grouped(arrivalsPerSecond)} arrivals a second, ${engine}`,
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
  const wants = (...some: readonly string[]) => options.only.some((section) => some.includes(section));
  const began = performance.now();
  const results: Results = {
    machine: describeMachine(databases.postgresVersion, databases.fileSystem),
    options: { ...options, connections, mixedShare },
    minutes: 0,
  };
  const filled: FilledDatabase[] = [];
  const fill = async (books: number) => {
    if (filled.some((database) => database.books === books)) return;
    for (const engine of engines) {
      say(`filling ${engine} with ${grouped(books)} books and as many orders`);
      filled.push(await databases.fill(engine, books, progress));
    }
  };

  await fill(fewBooks);
  const small = {
    SQLite: filledFor(filled, 'SQLite', fewBooks),
    PostgreSQL: filledFor(filled, 'PostgreSQL', fewBooks),
  };
  if (wants('reads')) results.reads = await measureReads(databases, small);
  if (wants('orders')) results.orders = await measureOrders(databases, small);
  if (wants('growth')) await fill(someBooks);
  if (wants('growth', 'mixed', 'start')) await fill(options.books);
  if (wants('start')) {
    const ends = filled.filter(({ books }) => books === fewBooks || books === options.books);
    results.start = await measureStart(databases, ends);
  }
  if (wants('growth')) results.growth = await measureGrowth(databases, filled);
  if (wants('mixed')) results.mixed = await measureMixed(databases, filled);
  results.minutes = (performance.now() - began) / 60_000;
  return results;
}

const databases = await openDatabases();
const closeAll = async () => {
  await Promise.allSettled([...running].map((one) => one.stop()));
  await databases.close();
};
process.once('SIGINT', () => {
  closeAll().finally(() => process.exit(130));
});
try {
  const report = writeReport(await measureAll(databases));
  const file = values.out ?? (isWhole ? join(import.meta.dirname, 'results.md') : undefined);
  if (file) await writeFile(file, report);
  process.stdout.write(`\n${report}\n${file ? `Written to ${file}\n` : ''}`);
} finally {
  await closeAll();
}
