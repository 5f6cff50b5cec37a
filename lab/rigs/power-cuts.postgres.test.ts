/** PostgreSQL stops in the middle of orders, or its disk fails: what was acknowledged is there, once. */

import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../../server/catalogue/books.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import { endsWithTest } from '../../server/testing/ends-with-test.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { findPostgresFolder, unprivilegedAccount } from '../../server/testing/postgres-programs.ts';
import { runStatements } from '../../server/testing/postgres-server.ts';
import { findProgram } from '../../server/testing/programs.ts';
import { emma, openTestStore, orderOf, type TestStore } from '../../server/testing/test-store.ts';
import { createMachine, killMachine, type Machine, processesIn, startProgram, waitFor } from './machines.ts';

const programs = findPostgresFolder('initdb', 'postgres', 'pg_ctl');
const programOf = (name: string) => join(programs ?? '', name);
const buyerCount = 8;
/** The failing calls of each PostgreSQL process: the first, and then every so many. */
const failing = ['fdatasync:error=EIO:when=20+9', 'pwrite64:error=ENOSPC:when=90+70'];

let machine: Machine;
let port: number;
let messages: string[];
let store: TestStore;
let acknowledged: Map<string, string>;
/** The keys of orders without an answer, or with an error. */
let unanswered: Set<string>;
beforeEach(async () => {
  if (!programs) return;
  const folder = mkdtempSync(join(tmpdir(), 'colophon-power-cut-'));
  // The account of PostgreSQL must reach the machine's folder.
  chmodSync(folder, 0o755);
  machine = createMachine(folder, 'postgres', unprivilegedAccount());
  endsWithTest(async () => {
    await killMachine(machine);
    rmSync(folder, { recursive: true });
  });
  await run('initdb', '-D', dataOf('data'), '-U', 'postgres', '-A', 'trust', '--locale', 'C', '-E', 'UTF8');
  port = await findFreePort();
  messages = [];
  acknowledged = new Map();
  unanswered = new Set();
});

const dataOf = (name: string) => join(machine.folder, name);
const urlOf = (atPort: number) => `postgres://postgres@127.0.0.1:${atPort}/postgres`;
const run = (program: string, ...args: readonly string[]) =>
  promisify(execFile)(programOf(program), args, { ...machine.account, cwd: machine.folder });

/** @param command runs PostgreSQL, such as strace with its options. */
async function startPostgres(name: string, atPort: number, command: readonly string[] = []): Promise<void> {
  const options = ['listen_addresses=127.0.0.1', `port=${atPort}`, 'unix_socket_directories='];
  const [program = '', ...args] = [...command, programOf('postgres'), '-D', dataOf(name)];
  startProgram(machine, program, ...args, ...options.flatMap((option) => ['-c', option]));
  const isReady = () =>
    runStatements(urlOf(atPort), 'select 1').then(
      () => true,
      () => false,
    );
  await waitFor('PostgreSQL starts', isReady, 30_000).catch((error: Error) => {
    throw new Error(`${error.message}\n${readFileSync(machine.logFile, 'utf8').slice(-2_000)}`);
  });
}

async function openStore(): Promise<string> {
  store = await openTestStore({
    database: readDatabaseSettings({ DATABASE_URL: urlOf(port) }),
    settings: { hasRateLimits: false },
    onLog: (line) => messages.push(JSON.parse(line).msg),
  });
  endsWithTest(() => store.close());
  await addBook(store.database.db, emma, null);
  return await store.signIn();
}

/** @returns whether the order was placed. */
async function placeOrder(cookie: string, key: string): Promise<boolean> {
  const headers = { 'idempotency-key': key };
  const response = await store.call(paths.addOrder, { cookie, headers, json: orderOf(emma) });
  if (response.status === 201) {
    acknowledged.set(key, ((await response.json()) as Order)._id);
    unanswered.delete(key);
    return true;
  }
  expect(response.status).toBe(503);
  unanswered.add(key);
  return false;
}

/** Buyers place one order after another. @returns what lets them end. */
function startBuyers(cookie: string, round: string): () => Promise<void> {
  let isOver = false;
  const buyers = Array.from({ length: buyerCount }, async (_, buyer) => {
    for (let sent = 0; !isOver; sent += 1) await placeOrder(cookie, `${round}-${buyer}-${sent}`);
  });
  return async () => {
    isOver = true;
    await Promise.all(buyers);
  };
}

async function waitForOrders(count: number): Promise<void> {
  const wanted = acknowledged.size + count;
  await waitFor(`${count} more orders`, () => acknowledged.size >= wanted, 60_000);
}

const listOrders = async (atPort: number) =>
  (
    await runStatements<{ id: string; idempotency_key: string }>(
      urlOf(atPort),
      'select id, idempotency_key from orders',
    )
  ).map(({ id, idempotency_key: key }) => [key, id] as const);

/** @returns the orders of the store, after each without an answer was repeated until it had one. */
async function repeatUnanswered(cookie: string) {
  const repeat = async () => {
    for (const key of unanswered) if (!(await placeOrder(cookie, key))) return false;
    return true;
  };
  await waitFor('each order is placed', repeat, 60_000);
  return await listOrders(port);
}

/** Copies the files at one moment: no process of the server runs meanwhile, so that the copy is what a disk has then. */
async function copyData(name: string): Promise<void> {
  const pids = new Set<number>();
  // A process that was seen before it stopped may have started another one.
  for (let found = processesIn(machine.folder); found.some((pid) => !pids.has(pid)); ) {
    for (const pid of found) {
      process.kill(pid, 'SIGSTOP');
      pids.add(pid);
    }
    found = processesIn(machine.folder);
  }
  try {
    await promisify(execFile)('cp', ['-a', dataOf('data'), dataOf(name)]);
    rmSync(join(dataOf(name), 'postmaster.pid'));
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

test.skipIf(!programs)(
  'an immediate stop of PostgreSQL loses no order that was acknowledged, and a copy of its files at any moment has those until then',
  { timeout: 240_000 },
  async () => {
    await startPostgres('data', port);
    const cookie = await openStore();
    for (const round of ['one', 'two', 'three']) {
      const end = startBuyers(cookie, round);
      await waitForOrders(150);
      const before = [...acknowledged];
      await copyData(round);
      await waitForOrders(50);
      await run('pg_ctl', 'stop', '-D', dataOf('data'), '-m', 'immediate');
      await end();
      await startPostgres('data', port);

      expect(await listOrders(port)).toEqual(expect.arrayContaining([...acknowledged]));
      expect(new Set(await repeatUnanswered(cookie))).toEqual(new Set(acknowledged));

      const copyPort = await findFreePort();
      await startPostgres(round, copyPort);
      const copied = await listOrders(copyPort);
      await run('pg_ctl', 'stop', '-D', dataOf(round), '-m', 'fast');

      expect(copied).toEqual(expect.arrayContaining(before));
      expect(acknowledged.size).toBeGreaterThanOrEqual(copied.length);
    }
  },
);

test('orders that were acknowledged while PostgreSQL’s disk failed are there, once, and the store says that it refused others', {
  timeout: 240_000,
}, async ({ skip }) => {
  if (!programs || !findProgram('strace')) skip('PostgreSQL or strace is not installed');
  await startPostgres('data', port);
  const cookie = await openStore();
  await run('pg_ctl', 'stop', '-D', dataOf('data'), '-m', 'fast');
  const tracing = ['-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fdatasync,pwrite64'];
  const strace = ['strace', ...tracing, ...failing.flatMap((calls) => ['-e', `inject=${calls}`])];
  await startPostgres('data', port, strace);

  const end = startBuyers(cookie, 'failing');
  await waitForOrders(300);
  await end();
  const refused = unanswered.size;
  const isReady = async () => (await store.call(paths.readiness)).ok;
  await waitFor('the store is ready', isReady, 60_000);
  await run('pg_ctl', 'stop', '-D', dataOf('data'), '-m', 'immediate');
  const statusWithout = (await store.call(paths.readiness)).status;
  await startPostgres('data', port);

  expect(refused).toBeGreaterThan(0);
  expect(statusWithout).toBe(503);
  expect(messages).toContain('requests are refused');
  expect(await listOrders(port)).toEqual(expect.arrayContaining([...acknowledged]));
  expect(new Set(await repeatUnanswered(cookie))).toEqual(new Set(acknowledged));
});
