/** The section of isolation: calls are measured alone, and at the same time as other calls. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram } from '../../server/testing/programs.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { serveArguments } from '../../server/testing/store-process.ts';
import { type Bench, newRow, p99s, type Row, rates, ratios, type Section, type Target } from './bench.ts';
import * as calls from './calls.ts';
import type { FilledDatabase } from './databases.ts';
import { startMeasuredStore, startStores, storeOn } from './processes.ts';
import { loadTable } from './tables.ts';
import { measureByWrk, runWrk } from './wrk.ts';

/** Slows the disk down; Linux only. */
const straceProgram = findProgram('strace');

/** Time of an fsync on the slow disk: that of a slow network disk. */
export const slowFsyncMs = 10;

/** A load at the same time as the measured calls. Its failures do not matter. */
type Disturbance = {
  name: string;
  send(seconds: number): Promise<unknown>;
  /** Target: the rate beside this load, as a share of the rate alone. */
  minRatio: number;
};

/** A call that is measured alone, and beside each of the disturbances. */
type Measured = {
  name: string;
  /** The engine, for the report. */
  on: string;
  store: ServerProcess;
  kind: calls.PlannedKind;
  beside: readonly Disturbance[];
};

export async function measureIsolation(bench: Bench): Promise<Section> {
  const databases = await bench.fill(bench.maxBooks);
  const { SQLite, PostgreSQL } = databases;
  const stores = await startStores(bench, databases, 'beside other calls');
  const searches = (store: ServerProcess, connections: number, minRatio: number): Disturbance => ({
    name: `${connections} heavy searches`,
    send: (seconds) => runWrk(store, [calls.searchesForTwoWords()], seconds, connections),
    minRatio,
  });
  const writeLock: Disturbance = {
    name: '8 buyers and another process’s write lock',
    async send(seconds) {
      using other = new DatabaseSync(SQLite.url.slice('sqlite:'.length));
      other.exec('begin immediate');
      await runWrk(stores.SQLite, [calls.order(SQLite)], seconds, 8);
    },
    minRatio: 0.6,
  };
  const list = { name: '`GET /books`', kind: calls.bookList() };
  const sessionOf = (database: FilledDatabase) => ({
    name: '`GET /auth/session`',
    kind: calls.session(database),
  });
  const slowDisk = straceProgram ? await startOnSlowDisk(bench, straceProgram, SQLite) : undefined;
  const onSqlite = { on: 'SQLite', store: stores.SQLite };
  const onPostgres = { on: 'PostgreSQL', store: stores.PostgreSQL };
  const measured: Measured[] = [
    { ...onSqlite, ...list, beside: [searches(stores.SQLite, 8, 0.4), writeLock] },
    { ...onSqlite, ...sessionOf(SQLite), beside: [searches(stores.SQLite, 8, 0.3)] },
    { ...onPostgres, ...list, beside: [searches(stores.PostgreSQL, 30, 0.4)] },
    { ...onPostgres, ...sessionOf(PostgreSQL), beside: [searches(stores.PostgreSQL, 30, 0.3)] },
    ...(slowDisk
      ? [{ on: 'SQLite on a slow disk', store: slowDisk.store, ...list, beside: [slowDisk.buyers] }]
      : []),
  ];

  const groups = measured.map(({ name, on, store, kind, beside }) => {
    return {
      call: `${name}, ${on},`,
      alone: newRow(`${name}, ${on}, alone`, (seconds) => measureByWrk(store, [kind], seconds)),
      beside: beside.map((disturbance) => ({
        disturbance,
        row: newRow(`beside ${disturbance.name}`, async (seconds) => {
          // The disturbance begins before the measured calls and ends after them.
          const disturbed = disturbance.send(seconds + 1);
          await pause(500);
          const outcome = await measureByWrk(store, [kind], seconds);
          await disturbed;
          return outcome;
        }),
      })),
    };
  });
  const rows = groups.flatMap(({ alone, beside }) => [alone, ...beside.map(({ row }) => row)]);
  await bench.measure('calls beside others', rows);
  return {
    title: 'Beside other calls',
    text: loadTable(rows),
    targets: [
      ...groups.flatMap(({ call, alone, beside }) =>
        beside.flatMap(({ disturbance, row }) => targetsOf(call, alone, row, disturbance)),
      ),
      ...(slowDisk
        ? [
            {
              name: `orders in a commit, ${slowDisk.buyers.name}`,
              // The first value is that of the warm-up.
              values: slowDisk.ordersPerCommit.slice(1),
              min: 24,
              unit: 'orders',
            },
          ]
        : []),
    ],
  };
}

/** The p99 may be five times that alone, and 10 ms in any case. */
function targetsOf(call: string, alone: Row, beside: Row, { minRatio }: Disturbance): Target[] {
  const maximums = p99s(alone).map((ms) => Math.max(5 * ms, 10));
  return [
    { name: `${call} ${beside.name} / alone`, values: ratios(rates(beside), rates(alone)), min: minRatio },
    { name: 'the same, p99 / its maximum', values: ratios(p99s(beside), maximums), max: 1 },
  ];
}

/** A store on a slow disk, its buyers, and how many of their orders each commit has. */
async function startOnSlowDisk(bench: Bench, strace: string, database: FilledDatabase) {
  const { folder } = bench.databases;
  const trace = join(folder, 'fsyncs.txt');
  const store = await bench.start(
    startMeasuredStore(
      database.url,
      join(folder, 'slow-disk.log'),
      {},
      { program: strace, nodeArguments: [...slowDisk(trace), process.execPath, ...serveArguments()] },
    ),
    `${storeOn('SQLite')}, slow disk`,
  );
  const ordersPerCommit: number[] = [];
  const buyers: Disturbance = {
    name: `32 buyers, an fsync of ${slowFsyncMs} ms`,
    async send(seconds) {
      const commitsBefore = countCommits(trace);
      const { responses, failures } = await runWrk(store, [calls.order(database)], seconds, 32);
      ordersPerCommit.push((responses - failures) / (countCommits(trace) - commitsBefore));
    },
    minRatio: 0.6,
  };
  return { store, buyers, ordersPerCommit };
}

/** The arguments of strace: the store stays the child of this process, and only its fsyncs stop for the tracer. */
const slowDisk = (trace: string): string[] => [
  ...['-D', '-f', '-qq', '--seccomp-bpf', '-y', '-o', trace],
  ...['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:delay_enter=${slowFsyncMs}ms`],
];

/** A commit of SQLite writes its log to the disk once. */
const countCommits = (trace: string): number => readFileSync(trace, 'utf8').split('-wal>').length - 1;
