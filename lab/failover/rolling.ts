/**
 * `npm run test:rolling`: restarts two nodes of the store in turn, under load and behind a proxy, and counts the
 * requests that did not get their response (README.md).
 */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Book } from '../../contract/book.ts';
import { centsToAmount } from '../../contract/money.ts';
import { paths } from '../../contract/paths.ts';
import { openDatabase } from '../../server/database/open.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { type PostgresServer, startPostgres } from '../../server/testing/postgres-server.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { externalProvider, startStore } from '../../server/testing/store-process.ts';
import { pages } from '../../tools/builds.ts';
import { readOptions, someOf, wholeNumber } from '../../tools/options.ts';
import { createMachine, killMachine, statusOf, waitFor } from '../rigs/machines.ts';
import { startProxy } from '../rigs/proxies.ts';
import { table } from './figures.ts';
import { storeSection } from './proxy.ts';
import { type Buyer, book, prepareStore } from './store-nodes.ts';

const options = readOptions(
  'npm run test:rolling',
  'Restarts two nodes in turn under load, and counts the requests that were reset or failed.',
  {
    restarts: wholeNumber('how many restarts', 10, 1),
    delay: wholeNumber('STOP_DELAY_MS of the nodes', 5_000),
    visitors: wholeNumber('how many visitors, each with one request at a time', 16, 1),
    database: someOf('the engine of the database', ['SQLite', 'PostgreSQL']),
    proxy: someOf('in front of the nodes', ['HAProxy', 'nginx']),
  },
);

/** Between two requests of a visitor: without a pause they would take the processor from the nodes. */
const visitIntervalMs = 5;
/** The proxies send requests to a node again within this time. */
const settleMs = 3_000;

type Visits = { outcomes: Map<string, number>; orders: Map<string, string>; stop(): Promise<void> };

const nginxConfiguration = (port: number, nodePorts: readonly number[]) => `
  upstream store {
${nodePorts.map((nodePort) => `    server 127.0.0.1:${nodePort} max_fails=1 fail_timeout=2s;`).join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://store;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
    }
  }
`;

const haproxyConfiguration = (port: number, nodePorts: readonly number[]) => `
defaults
  timeout connect 2s
  timeout check 2s
  timeout client 60s
  timeout server 60s
${storeSection(port, nodePorts)}
`;

/** Each visitor reads the first page, a book and its session, and places an order, in turn. Nothing is sent twice. */
function startVisits(origin: string, buyers: readonly Buyer[], bookId: string): Visits {
  const agent = new Agent({ keepAlive: true });
  const outcomes = new Map<string, number>();
  const orders = new Map<string, string>();
  let isStopping = false;
  const send = (path: string, { body, ...requestOptions }: RequestOptions & { body?: string | undefined }) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sent = request(origin + path, { agent, ...requestOptions }, (response) => {
        text(response).then((received) => resolve({ status: response.statusCode, body: received }), reject);
      });
      sent.on('error', reject).end(body);
    });
  const visit = async ({ email, cookie }: Buyer, name: number): Promise<void> => {
    for (let number = 0; !isStopping; number += 1) {
      const order = {
        title: book.title,
        author: book.author,
        price: centsToAmount(book.priceCents),
        email,
        time: new Date().toDateString(),
      };
      const calls: [path: string, body?: string][] = [
        [paths.books],
        [paths.addOrder, JSON.stringify(order)],
        [paths.book(bookId)],
        [paths.session],
      ];
      const [path = '/', body] = calls[number % calls.length] ?? [];
      const key = `visitor-${name}-request-${number}`;
      const headers = { cookie, 'content-type': 'application/json', 'idempotency-key': key };
      const method = body === undefined ? 'GET' : 'POST';
      const outcome = await send(path, { method, headers, body }).then(
        (response) => {
          if (response.status === 201) orders.set(key, JSON.parse(response.body)._id);
          return `${method} ${response.status}`;
        },
        (error: NodeJS.ErrnoException) => `${method} ${error.code ?? error.message}`,
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await pause(visitIntervalMs);
    }
  };
  const visits = Promise.all(buyers.map(visit));
  return {
    outcomes,
    orders,
    async stop() {
      isStopping = true;
      await visits;
      agent.destroy();
    },
  };
}

/** @returns whether every request got its response, and each order is stored once. */
async function runRestarts(
  folder: string,
  databaseUrl: string,
  proxy: 'HAProxy' | 'nginx',
  heading: string,
): Promise<boolean> {
  const storePort = await findFreePort();
  const nodePorts = [await findFreePort(), await findFreePort()];
  const origin = `http://localhost:${storePort}`;
  const buyers = await prepareStore(databaseUrl, options.visitors);
  const start = (port: number) =>
    startStore(
      {
        ...externalProvider,
        PORT: String(port),
        PUBLIC_URL: origin,
        DATABASE_URL: databaseUrl,
        LOG_LEVEL: 'warn',
        // All visitors are one client.
        RATE_LIMITS: 'off',
        STOP_DELAY_MS: String(options.delay),
      },
      { workingFolder: folder, isDetached: true },
    );
  const nodes: { port: number; process: ServerProcess }[] = [];
  for (const port of nodePorts) nodes.push({ port, process: await start(port) });
  const configuration = { nginx: nginxConfiguration, HAProxy: haproxyConfiguration }[proxy];
  startProxy(createMachine(folder, proxy), proxy, configuration(storePort, nodePorts));
  try {
    await waitFor(proxy, async () => (await statusOf(origin + paths.readiness)) === 200, 30_000);
    const [firstBook] = (await (await fetch(origin + paths.books)).json()) as Book[];
    const visits = startVisits(origin, buyers, firstBook?._id ?? '');
    await pause(settleMs);
    for (let restart = 0; restart < options.restarts; restart += 1) {
      const node = nodes[restart % nodes.length];
      if (!node) break;
      await node.process.stop();
      node.process = await start(node.port);
      await pause(settleMs);
    }
    await visits.stop();
    return await report(heading, visits, databaseUrl);
  } finally {
    await killMachine({ folder });
  }
}

async function report(heading: string, { outcomes, orders }: Visits, databaseUrl: string): Promise<boolean> {
  const { db, close } = await openDatabase(readDatabaseSettings({ DATABASE_URL: databaseUrl }));
  const rows = await db.selectFrom('orders').select(['id', 'idempotency_key']).execute();
  await close();
  const stored = new Set(rows.map(({ id }) => id));
  const lost = [...orders.values()].filter((id) => !stored.has(id)).length;
  const doubled = rows.length - new Set(rows.map(({ idempotency_key: key }) => key)).size;
  const sent = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const answered = (outcomes.get('GET 200') ?? 0) + (outcomes.get('POST 201') ?? 0);
  console.log(`\n${heading}`);
  console.log(
    table([
      ['restarts', options.restarts],
      ['requests', sent],
      ['reset or failed', sent - answered],
      ['orders acknowledged', orders.size],
      ['lost', lost],
      ['doubled', doubled],
      ...[...outcomes].toSorted().map(([outcome, count]): [string, number] => [`  ${outcome}`, count]),
    ]),
  );
  return sent === answered && lost === 0 && doubled === 0;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'colophon-rolling-')));
let postgres: Promise<PostgresServer> | undefined;
async function stopPostgres(): Promise<void> {
  // A server that could not be started is not there to be stopped.
  const server = await postgres?.catch(() => undefined);
  postgres = undefined;
  await server?.stop();
}

let cleaning: Promise<void> | undefined;
/** Runs once: a second signal may come during the clean-up. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    await killMachine({ folder });
    await stopPostgres();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    // Processes that were being started meanwhile.
    await killMachine({ folder });
  })();
  return cleaning;
}
const interrupt = () => cleanUp().finally(() => process.exit(1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// The parent may have been killed, or the reader of the output.
const parent = process.ppid;
setInterval(() => process.ppid === parent || interrupt(), 1_000).unref();
for (const output of [process.stdout, process.stderr]) output.on('error', interrupt);

try {
  if (!pages.isBuilt() && !(await pages.make())) throw new Error('The pages could not be built.');
  let isGood = true;
  for (const engine of options.database) {
    for (const proxy of options.proxy) {
      const runFolder = mkdtempSync(join(folder, 'run-'));
      if (engine === 'PostgreSQL') postgres = startPostgres({ fsync: true });
      const databaseUrl = (await postgres)?.url ?? `sqlite:${join(runFolder, 'store.db')}`;
      isGood = (await runRestarts(runFolder, databaseUrl, proxy, `${engine}, ${proxy}`)) && isGood;
      await stopPostgres();
    }
  }
  console.log(isGood ? '\nNo request was reset, and none failed.' : '\nThe test failed.');
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  // After a signal there is nothing to explain.
  if (!cleaning) console.error(`\n${error instanceof Error ? error.message : error}`);
} finally {
  await cleanUp();
  // After a failure the visitors still run.
  process.exit();
}
