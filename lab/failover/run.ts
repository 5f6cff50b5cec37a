/**
 * `npm --prefix lab run failover`: kills the machine of PostgreSQL's primary under load, twice, and then looks for every order that
 * was acknowledged (README.md).
 */

import { chmodSync, chownSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../contract/paths.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { unprivilegedAccount } from '../../server/testing/postgres-programs.ts';
import { pages } from '../../tools/builds.ts';
import { readOptions } from '../../tools/options.ts';
import {
  createMachine,
  killMachine,
  type Machine,
  processesIn,
  removeSharedMemory,
  statusOf,
  waitFor,
} from '../rigs/machines.ts';
import { startProxy } from '../rigs/proxies.ts';
import { type Buying, startBuying } from './buyers.ts';
import { type Cluster, type Member, memberNames, startCluster, waitForStandby } from './cluster.ts';
import { countOrders, isSteady, longestGapMs, type StoredOrders, table } from './figures.ts';
import { providePrograms } from './programs.ts';
import { proxyConfiguration } from './proxy.ts';
import { type OrderRow, readOrdersOfServer, readOrdersThroughApi } from './reading-back.ts';
import { type Buyer, prepareStore, startNodes } from './store-nodes.ts';

const buyerCount = 16;
const rounds = 2;
const steadySeconds = 5;
const recoveryTimeoutMs = 120_000;

readOptions(
  'npm --prefix lab run failover',
  'Kills the machine of the PostgreSQL primary twice under load, and counts lost and doubled orders.',
  {},
);

type Round = { killed: string; promoted: string; promotedAfterMs: number; withoutWritesMs: number };

const print = (text: string) =>
  console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}`);

async function test(folder: string): Promise<boolean> {
  const programs = await providePrograms();
  if (!pages.isBuilt() && !(await pages.make())) throw new Error('The pages could not be built.');
  const account = unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);

  const databasePort = await findFreePort();
  const storePort = await findFreePort();
  const nodePorts = [await findFreePort(), await findFreePort()];
  const origin = `http://localhost:${storePort}`;

  print(`PostgreSQL under Patroni: ${memberNames.join(', ')}`);
  const cluster = await startCluster({ folder, programs, account });
  print('HAProxy and two nodes of the store');
  const { members } = cluster;
  const configuration = proxyConfiguration({ databasePort, storePort, members, nodePorts });
  startProxy(createMachine(folder, 'haproxy', account), 'HAProxy', configuration);
  const databaseUrl = cluster.url(databasePort);
  // HAProxy considers a server to be up until its first check has failed.
  await pause(2_500);
  const buyers = await prepareStore(databaseUrl, buyerCount);
  const nodes = await startNodes({ folder, ports: nodePorts, publicUrl: origin, databaseUrl });
  await waitFor('the store', async () => (await statusOf(origin + paths.readiness)) === 200, 30_000);

  print(`${buyerCount} buyers`);
  const buying = startBuying(origin, buyers);
  const results: Round[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await runRound(cluster, nodes, buying));
  await buying.stop();
  print('Counting the orders');
  const orders = countOrders(buying.log, await readBack(cluster, origin, buyers));

  report(buying, results, orders);
  const faults = orders.lost + orders.doubled + orders.unanswered + buying.log.rejections.length;
  return faults === 0;
}

/** Kills the primary. Resolves when orders are acknowledged again, and the machine is back as a synchronous standby. */
async function runRound(cluster: Cluster, nodes: readonly Machine[], { log }: Buying): Promise<Round> {
  const isSteadyFor = (seconds: number) => () => {
    const ended = nodes.find(({ folder }) => processesIn(folder).length === 0);
    if (ended) throw new Error(`${ended.name}, a node of the store, has ended`);
    if (log.rejections[0]) throw new Error(`an order was rejected: ${log.rejections[0]}`);
    return isSteady(log.acknowledgedAtMs, performance.now(), seconds);
  };
  await waitFor('a steady load', isSteadyFor(2 * steadySeconds), recoveryTimeoutMs);
  const primary = await cluster.findPrimary();
  if (!primary) throw new Error('there is no primary to kill');

  const killedAtMs = performance.now();
  await cluster.kill(primary);
  print(`kill -9 of ${primary.machine.name}, the primary, after ${log.acknowledged.size} orders`);
  let promoted: Member | undefined;
  const isPromoted = async () => {
    promoted = await cluster.findPrimary();
    return promoted !== undefined;
  };
  await waitFor('a new primary', isPromoted, recoveryTimeoutMs);
  const promotedAfterMs = performance.now() - killedAtMs;
  const { name: promotedName = '' } = promoted?.machine ?? {};
  print(`${promotedName} is the primary`);
  await waitFor('writes', isSteadyFor(steadySeconds), recoveryTimeoutMs);
  const withoutWritesMs = longestGapMs(log.acknowledgedAtMs, killedAtMs, performance.now());
  print(`orders are acknowledged again: ${(withoutWritesMs / 1000).toFixed(1)} s without`);

  cluster.start(primary);
  await waitFor(
    `${primary.machine.name} as a standby`,
    async () => (await cluster.findStandbys()).includes(primary),
    recoveryTimeoutMs,
  );
  await waitForStandby(cluster);
  print(`${primary.machine.name} is back as a standby`);
  return { killed: primary.machine.name, promoted: promotedName, promotedAfterMs, withoutWritesMs };
}

async function readBack(cluster: Cluster, origin: string, buyers: readonly Buyer[]): Promise<StoredOrders> {
  const primary = await cluster.findPrimary();
  if (!primary) throw new Error('there is no primary to read from');
  const throughApi = await readOrdersThroughApi(origin, buyers);
  const rowsOf = (member: Member) => readOrdersOfServer(cluster.url(member.port));
  const rows = await rowsOf(primary);
  const inDatabase = new Map<string, readonly OrderRow[]>([[primary.machine.name, rows]]);
  for (const member of await cluster.findStandbys()) {
    // A standby has each acknowledged commit on its disk; queries see it a moment later.
    const hasCaughtUp = async () => (await rowsOf(member)).length >= rows.length;
    await waitFor('the standby to catch up', hasCaughtUp, 10_000).catch(() => {});
    inDatabase.set(member.machine.name, await rowsOf(member));
  }
  return { throughApi, inDatabase };
}

function report({ log }: Buying, results: readonly Round[], orders: ReturnType<typeof countOrders>): void {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const rows: [string, string | number][] = [
    ...Object.entries(orders),
    ['acknowledged after a retry', log.retried],
    ['rejected', log.rejections.length],
    ...results.flatMap(({ killed, promoted, promotedAfterMs, withoutWritesMs }): [string, string][] => [
      [`${killed} killed, ${promoted} promoted after`, `${seconds(promotedAfterMs)} s`],
      ['without writes', `${seconds(withoutWritesMs)} s`],
    ]),
    ...[...log.responses].toSorted().map(([kind, count]): [string, number] => [`responses: ${kind}`, count]),
    ['slowest response', `${seconds(log.slowestResponseMs)} s`],
  ];
  console.log(`\n${table(rows)}`);
}

/** Prints the last lines of each machine's log. */
function showLogs(folder: string): void {
  for (const name of ['etcd', ...memberNames, 'haproxy', 'node-1', 'node-2']) {
    try {
      const lines = readFileSync(join(folder, `${name}.log`), 'utf8')
        .trimEnd()
        .split('\n');
      console.error(`\n${name}:\n${lines.slice(-20).join('\n')}`);
    } catch {
      // The machine was never started.
    }
  }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'colophon-failover-')));
let cleaning: Promise<void> | undefined;
/** Runs once: Ctrl-C may be pressed twice, or during the clean-up. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    await killMachine({ folder });
    for (const name of memberNames) await removeSharedMemory(join(folder, name, 'database'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    // Processes may have been started meanwhile.
    await killMachine({ folder });
  })();
  return cleaning;
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!cleaning) print(`${signal}: cleaning up`);
    cleanUp().finally(() => process.exit(1));
  });
}

try {
  const isGood = await test(folder);
  console.log(isGood ? '\nNo acknowledged order was lost, and none was doubled.' : '\nThe test failed.');
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  // After a signal there is nothing to explain.
  if (!cleaning) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    showLogs(folder);
  }
} finally {
  await cleanUp();
  // After a failure the buyers are still running.
  process.exit();
}
