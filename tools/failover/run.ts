/**
 * `npm run test:failover`: kills the machine of the PostgreSQL primary under load, twice, and counts what became of the
 * orders. See README.md.
 */

import { chmodSync, chownSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Buying, startBuying } from './buyers.ts';
import { type Cluster, type Member, startCluster, timing, waitForStandby } from './cluster.ts';
import { countOrders, type Found, isSteady, longestGapMs, table } from './figures.ts';
import {
  findFreePorts,
  killMachine,
  type Machine,
  processesIn,
  removeSharedMemory,
  statusOf,
  waitFor,
} from './machines.ts';
import { providePrograms, readVersions, unprivilegedAccount } from './programs.ts';
import { startProxy } from './proxy.ts';
import { type OrderRow, readOrdersOfServer, readOrdersThroughApi } from './reading-back.ts';
import { type Buyer, buildPagesIfMissing, openShop, startNodes } from './store-nodes.ts';

const buyerCount = 16;
const rounds = 2;
const steadySeconds = 5;
const writesBackWithinMs = 120_000;

const { values: options } = parseArgs({ options: { strict: { type: 'boolean', default: false } } });
const memberNames = options.strict ? ['one', 'two', 'three'] : ['one', 'two'];

type Round = { killed: string; promoted: string; promotedAfterMs: number; withoutWritesMs: number };

const say = (text: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}`);

async function test(folder: string): Promise<boolean> {
  const programs = await providePrograms();
  await buildPagesIfMissing();
  const account = unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);

  const [databasePort = 0, storePort = 0, firstNode = 0, secondNode = 0, ...ports] = await findFreePorts(
    6 + 2 * memberNames.length,
  );
  const nodePorts = [firstNode, secondNode];
  const origin = `http://localhost:${storePort}`;

  say(`PostgreSQL under Patroni: ${memberNames.join(', ')}`);
  const cluster = await startCluster({
    folder,
    programs,
    account,
    ports,
    memberNames,
    isStrict: options.strict,
  });
  say('HAProxy and two nodes of the store');
  const { members } = cluster;
  startProxy({ folder, programs, account, databasePort, storePort, members, nodePorts });
  const databaseUrl = cluster.url(databasePort);
  // HAProxy takes a server for good until its first check says otherwise.
  await pause(2_500);
  const buyers = await openShop(databaseUrl, buyerCount);
  const nodes = await startNodes({ folder, ports: nodePorts, publicUrl: origin, databaseUrl });
  await waitFor('the store', async () => (await statusOf(`${origin}/readyz`)) === 200, 30_000);

  say(`${buyerCount} buyers`);
  const buying = startBuying(origin, buyers);
  const played: Round[] = [];
  for (let round = 0; round < rounds; round += 1) played.push(await playRound(cluster, nodes, buying));
  await buying.stop();
  say('Counting the orders');
  const orders = countOrders(buying.ledger, await readBack(cluster, origin, buyers));

  report(await readVersions(programs), buying, played, orders);
  return (
    orders.lost === 0 && orders.doubled === 0 && orders.open === 0 && buying.ledger.refusals.length === 0
  );
}

/** @returns when writes are back, and the machine that was killed is back as well and in step. */
async function playRound(cluster: Cluster, nodes: readonly Machine[], { ledger }: Buying): Promise<Round> {
  const steady = (seconds: number) => () => {
    const ended = nodes.find(({ folder }) => processesIn(folder).length === 0);
    if (ended) throw new Error(`${ended.name}, a node of the store, ended by itself`);
    if (ledger.refusals[0]) throw new Error(`an order was refused: ${ledger.refusals[0]}`);
    return isSteady(ledger.acknowledgedAtMs, performance.now(), seconds);
  };
  await waitFor('a steady load', steady(2 * steadySeconds), writesBackWithinMs);
  const primary = await cluster.findPrimary();
  if (!primary) throw new Error('there is no primary to kill');

  const killedAtMs = performance.now();
  await cluster.kill(primary);
  say(`kill -9 of ${primary.machine.name}, the primary, after ${ledger.acknowledged.size} orders`);
  let promoted: Member | undefined;
  const isPromoted = async () => {
    promoted = await cluster.findPrimary();
    return promoted !== undefined;
  };
  await waitFor('a new primary', isPromoted, writesBackWithinMs);
  const promotedAfterMs = performance.now() - killedAtMs;
  const { name: promotedName = '' } = promoted?.machine ?? {};
  say(`${promotedName} is the primary`);
  await waitFor('writes', steady(steadySeconds), writesBackWithinMs);
  const withoutWritesMs = longestGapMs(ledger.acknowledgedAtMs, killedAtMs, performance.now());
  say(`orders are acknowledged again: ${(withoutWritesMs / 1000).toFixed(1)} s without`);

  cluster.start(primary);
  await waitFor(
    `${primary.machine.name} as a standby`,
    async () => (await cluster.findStandbys()).includes(primary),
    writesBackWithinMs,
  );
  await waitForStandby(cluster);
  say(`${primary.machine.name} is back as a standby`);
  return { killed: primary.machine.name, promoted: promotedName, promotedAfterMs, withoutWritesMs };
}

async function readBack(cluster: Cluster, origin: string, buyers: readonly Buyer[]): Promise<Found> {
  const primary = await cluster.findPrimary();
  if (!primary) throw new Error('there is no primary to read from');
  const throughApi = await readOrdersThroughApi(origin, buyers);
  const rowsOf = (member: Member) => readOrdersOfServer(cluster.url(member.port));
  const rows = await rowsOf(primary);
  const inDatabase = new Map<string, readonly OrderRow[]>([[primary.machine.name, rows]]);
  for (const member of await cluster.findStandbys()) {
    // A standby has the commit on its disk when it is acknowledged, and shows it a moment later.
    const hasCaughtUp = async () => (await rowsOf(member)).length >= rows.length;
    await waitFor('the standby to catch up', hasCaughtUp, 10_000).catch(() => {});
    inDatabase.set(member.machine.name, await rowsOf(member));
  }
  return { throughApi, inDatabase };
}

function report(
  versions: readonly (readonly [string, string])[],
  { ledger }: Buying,
  played: readonly Round[],
  orders: ReturnType<typeof countOrders>,
): void {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const answers = [...ledger.answers].toSorted().map(([kind, count]) => `${count} × ${kind}`);
  const sections: Record<string, [string, string | number][]> = {
    Versions: [...versions].map(([name, version]) => [name, version]),
    Cluster: [
      ['machines', `${memberNames.length}, one of them the primary`],
      ['synchronous_mode', options.strict ? 'on, strict' : 'on'],
      ['ttl, loop_wait, retry_timeout', `${Object.values(timing).join(', ')} s`],
    ],
    Orders: [
      ['acknowledged', orders.acknowledged],
      ['found', orders.found],
      ['lost', orders.lost],
      ['doubled', orders.doubled],
      ['acknowledged after a retry', ledger.retried],
      ['never answered', orders.open],
      ['refused', ledger.refusals.length],
    ],
    Writes: played.flatMap(({ killed, promoted, promotedAfterMs, withoutWritesMs }, index) => [
      [`round ${index + 1}`, `${killed} killed, ${promoted} promoted`],
      ['  seconds to the new primary', seconds(promotedAfterMs)],
      ['  seconds without writes', seconds(withoutWritesMs)],
    ]),
    Answers: [
      ...answers.map((answer): [string, string] => ['', answer]),
      ['slowest, seconds', seconds(ledger.slowestAnswerMs)],
    ],
  };
  for (const [heading, rows] of Object.entries(sections)) console.log(`\n${heading}\n${table(rows)}`);
}

/** What the machines said last, for whoever has to find out why a run failed. */
function showLogs(folder: string): void {
  for (const name of ['etcd', ...memberNames, 'haproxy', 'node-1', 'node-2']) {
    try {
      const lines = readFileSync(join(folder, `${name}.log`), 'utf8')
        .trimEnd()
        .split('\n');
      console.error(`\n${name}:\n${lines.slice(-20).join('\n')}`);
    } catch {
      // It was never started.
    }
  }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'colophon-failover-')));
let cleaning: Promise<void> | undefined;
/** Once, however many ask: Ctrl-C may come twice, and in the middle of the end. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    await killMachine({ folder });
    for (const name of memberNames) await removeSharedMemory(join(folder, name, 'database'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    // What was being started meanwhile.
    await killMachine({ folder });
  })();
  return cleaning;
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!cleaning) say(`${signal}: cleaning up`);
    cleanUp().finally(() => process.exit(1));
  });
}

try {
  const isGood = await test(folder);
  console.log(isGood ? '\nNo acknowledged order was lost, and none was doubled.' : '\nThe test failed.');
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  // What ends because it was told to has nothing to explain.
  if (!cleaning) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    showLogs(folder);
  }
} finally {
  await cleanUp();
  // After a failure the buyers are still at it.
  process.exit();
}
